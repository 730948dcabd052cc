/**
 * Reads at least `minLength` bytes from the start of a stream into `head`. If the stream is
 * shorter, reads the whole stream and sets `isWhole`. `all` yields the complete stream, including
 * `head`. Each piece is valid only until the next piece is requested.
 */
export async function withHead(
  pieces: AsyncIterable<Buffer>,
  minLength: number,
): Promise<{ head: Buffer; isWhole: boolean; all: AsyncGenerator<Buffer> }> {
  const source = pieces[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  while (length < minLength && !isWhole) {
    const { done, value } = await source.next();
    if (done) isWhole = true;
    else {
      first.push(Buffer.from(value));
      length += value.length;
    }
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* first;
      first.length = 0;
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }
  return { head: Buffer.concat(first), isWhole, all: all() };
}
