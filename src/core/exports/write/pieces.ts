const minLength = 16_384;

/** Yields the same text in fewer and larger pieces, none of which is empty. */
export async function* inPieces(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < minLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
