import { refused } from '../shared/errors.ts';
import type { FileArea, OpenedFile } from '../shared/files/file-area.ts';
import { LostFile } from '../shared/files/lost-file.ts';
import { isSystemError, systemReason } from '../shared/system-reason.ts';

/**
 * Opens the file of this name in an area; returns null if there is none. Throws refused() with
 * `path` when the file cannot be read.
 */
export async function openFile(
  area: FileArea,
  name: string,
  path: string,
): Promise<OpenedFile | null> {
  try {
    return await area.open(name);
  } catch (error) {
    throw readFailure(path, error);
  }
}

/**
 * Yields exactly the number of bytes that the file had when it was opened. If the file is truncated
 * during the read, yields zeros for the missing bytes; the caller must then read the file again.
 */
export async function* readWhole(
  file: OpenedFile,
  area: FileArea,
  path: string,
): AsyncGenerator<Uint8Array> {
  let left = file.size;
  if (left === 0) return file.close();
  try {
    for await (const piece of file.stream()) {
      left -= piece.length;
      yield piece;
    }
  } catch (error) {
    if (isSystemError(error)) throw readFailure(path, error);
    const now = await area.find(file.name);
    if (now === null || now.etag === file.etag) throw readFailure(path, error);
    for (; left > 0; left -= 65_536) yield new Uint8Array(Math.min(left, 65_536));
  }
}

function readFailure(path: string, error: unknown): unknown {
  if (error instanceof LostFile) return refused(`cannot read ${path}: ${error.message}`, error);
  return isSystemError(error)
    ? refused(`cannot read ${path}: ${systemReason(error)}`, error)
    : error;
}
