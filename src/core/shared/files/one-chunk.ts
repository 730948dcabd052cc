/** Yields these bytes or this text as a single chunk. */
export async function* oneChunk<Chunk extends string | Uint8Array>(
  chunk: Chunk,
): AsyncGenerator<Chunk> {
  yield chunk;
}
