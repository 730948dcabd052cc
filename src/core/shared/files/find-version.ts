import { createHash } from 'node:crypto';
import type { FileArea, StoredFile } from './file-area.ts';
import type { FileVersion } from './file-change.ts';

/**
 * Returns the metadata of the file with this name if the file has exactly this content. Returns
 * null otherwise. Reads the whole file to calculate its SHA-256. Throws the signal's reason if the
 * signal is aborted.
 */
export async function findVersion(
  area: FileArea,
  { name, size, sha256 }: FileVersion,
  signal: AbortSignal,
): Promise<StoredFile | null> {
  const file = await area.open(name);
  if (file === null) return null;
  if (file.size !== size) {
    await file.close();
    return null;
  }
  const hash = createHash('sha256');
  for await (const chunk of file.stream()) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  const { mtimeNs, etag } = file;
  return hash.digest('hex') === sha256 ? { name, size, mtimeNs, etag } : null;
}
