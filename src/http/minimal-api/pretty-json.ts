// TypeScript's library lacks it; Node has it since 21 (ECMAScript proposal "JSON.parse source text access").
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** Two-space indented JSON (minimal-api.md), without a newline at the end; bigints are written in all their digits. */
export function prettyJson(value: unknown): string {
  try {
    // Without a function that V8 calls for each value it takes a fifth of the time; it refuses bigints, which few answers have.
    return JSON.stringify(value, null, 2);
  } catch {
    return JSON.stringify(value, exactIntegers, 2);
  }
}

const opening = '{\n  "items": [';
const closing = '\n  ]\n}';

/** Items as they stand in `prettyJson({ items })`, with commas between them; "" of none. */
export function prettyItems(items: readonly object[]): string {
  return items.length === 0 ? '' : prettyJson({ items }).slice(opening.length, -closing.length);
}

/**
 * The text of `prettyJson({ items, ...rest() })`, piece by piece, of texts that hold some of the items each, with commas
 * between them: a text is asked for when the piece before it was taken, `rest` at the end.
 */
export async function* prettyJsonList(
  texts: AsyncIterable<string>,
  rest: () => Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield opening;
  let separator = '';
  for await (const text of texts) {
    if (text === '') continue;
    yield separator + text;
    separator = ',';
  }
  yield `${separator === '' ? '' : '\n  '}],${prettyJson(rest()).slice(1)}`;
}

function exactIntegers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
