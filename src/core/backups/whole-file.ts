import { refused } from '../shared/errors.ts';
import type { FileArea, OpenedFile } from '../shared/file-area.ts';
import { isSystemError, systemReason } from '../shared/system-reason.ts';

/** The file of that name in an area; null when there is none. Throws refused() with `path` when it cannot be read. */
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

/** Exactly as many bytes as were announced: zeros for those that a file lost while it was read, which is read again. */
export async function* wholeOf(
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
    if (now === null || now.etag === file.etag) throw error;
    for (; left > 0; left -= 65_536) yield new Uint8Array(Math.min(left, 65_536));
  }
}

function readFailure(path: string, error: unknown): unknown {
  return isSystemError(error)
    ? refused(`cannot read ${path}: ${systemReason(error)}`, error)
    : error;
}
