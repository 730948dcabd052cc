import type { OnBytes } from '../../core/shared/files/file-area.ts';
import type { HashThread } from '../hashes/hash-thread.ts';

/**
 * Total size, in bytes, from which pieces are sent to the thread in one message. Fewer messages
 * take less processor time.
 */
const groupBytes = 512 * 1024;
/** Number of pieces from which they are sent, even if they are small. */
const groupPieces = 500;

/** Reads all pieces and passes each to `use`. Waits for the promise that `use` returns. */
type Read = (use: (piece: Uint8Array) => Promise<unknown> | undefined) => Promise<void>;

/**
 * Returns the SHA-256, as lower-case hex, of the pieces that `read` passes on. The thread hashes
 * pieces while the next ones arrive. Their memory is transferred to the thread, so `read` must not
 * use a piece again. Calls `onBytes` with the length of each piece, and waits for the promise that
 * `onBytes` returns. Throws the errors of `read`, `onBytes` and the thread.
 */
export async function sha256OfPieces(
  thread: HashThread,
  read: Read,
  onBytes: OnBytes,
): Promise<string> {
  const hash = thread.start('sha256');
  let group: Uint8Array[] = [];
  let bytes = 0;
  let hashed: Promise<void> = Promise.resolve();
  /**
   * Sends the group. The returned promise resolves when the previous group is hashed, so the thread
   * has at most two groups.
   */
  const send = () => {
    const previous = hashed;
    hashed = thread.transfer(hash, group);
    hashed.catch(() => {}); // thrown when the promise is awaited
    group = [];
    bytes = 0;
    return previous;
  };
  try {
    await read((piece) => {
      const { byteLength } = piece;
      group.push(piece);
      bytes += byteLength;
      const delay = onBytes(byteLength);
      const isFull = bytes >= groupBytes || group.length >= groupPieces;
      return isFull ? Promise.all([send(), delay]) : delay;
    });
    await send();
    await hashed;
  } catch (error) {
    hash.drop();
    throw error;
  }
  return (await hash.digest()).toString('hex');
}
