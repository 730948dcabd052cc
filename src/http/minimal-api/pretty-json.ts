// TypeScript's library lacks it; Node has it since 21 (ECMAScript proposal "JSON.parse source text access").
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** Two-space indented JSON (minimal-api.md), without a newline at the end; bigints are written in all their digits. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, exactIntegers, 2);
}

/**
 * The same text as `prettyJson({ items, ...rest })` of all batches together, piece by piece: a batch is asked for when
 * the piece before it was taken.
 */
export async function* prettyJsonList(
  batches: AsyncIterable<readonly object[]>,
  rest: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield '{\n  "items": [';
  let separator = '';
  for await (const batch of batches) {
    // Without its brackets, and one level deeper. A newline is never inside a string of JSON.
    const inner = prettyJson(batch).slice(1, -2);
    yield separator + inner.replaceAll('\n', '\n  ');
    separator = ',';
  }
  yield `${separator === '' ? '' : '\n  '}],${prettyJson(rest).slice(1)}`;
}

function exactIntegers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
