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

/**
 * The same text as `prettyJson({ items, ...rest() })` of all batches together, piece by piece: a batch is asked for when
 * the piece before it was taken, `rest` at the end.
 */
export async function* prettyJsonList(
  batches: AsyncIterable<readonly object[]>,
  rest: () => Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield opening;
  let separator = '';
  for await (const items of batches) {
    if (items.length === 0) continue;
    yield separator + prettyJson({ items }).slice(opening.length, -closing.length);
    separator = ',';
  }
  yield `${separator === '' ? '' : '\n  '}],${prettyJson(rest()).slice(1)}`;
}

function exactIntegers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
