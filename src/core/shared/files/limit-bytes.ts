/**
 * Yields the chunks of `bytes` unchanged. Throws `tooLarge()` as soon as the total exceeds
 * `maxBytes`. There is no limit if `maxBytes` is undefined.
 */
export async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number | undefined,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.byteLength;
    if (maxBytes !== undefined && total > maxBytes) throw tooLarge();
    yield chunk;
  }
}
