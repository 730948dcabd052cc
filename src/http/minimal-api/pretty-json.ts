// TypeScript's library does not declare this function. Node has it since version 21 (ECMAScript
// proposal "JSON.parse source text access").
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/**
 * Returns JSON with an indentation of two spaces (minimal-api.md), without a newline at the end.
 * Bigints are written with all their digits.
 */
export function prettyJson(value: unknown): string {
  try {
    // Without a replacer function, `stringify` is much faster, but throws for bigints. Few
    // responses contain bigints; for them, the replacer converts the bigints.
    return JSON.stringify(value, null, 2);
  } catch {
    return JSON.stringify(value, exactIntegers, 2);
  }
}

const opening = '{\n  "items": [';
const closing = '\n  ]\n}';

/**
 * Returns the items as they appear in `prettyJson({ items })`, separated by commas. Returns "" for
 * no items.
 */
export function prettyItems(items: readonly object[]): string {
  return items.length === 0 ? '' : prettyJson({ items }).slice(opening.length, -closing.length);
}

/**
 * Yields the text of `prettyJson({ items, ...rest() })` in pieces. Each of `texts` contains some of
 * the items, separated by commas. The next text is requested only after the previous piece was
 * read. `rest` is called at the end.
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
