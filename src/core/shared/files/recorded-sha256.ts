import { CatalogError } from '../errors.ts';
import type { StoredFile } from './file-area.ts';

/** Returns the recorded SHA-256 of each of these files of one area, by name. */
type FindChecksums = (files: readonly StoredFile[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Returns the SHA-256 of a file's content, if it is recorded for this version of the file. Returns
 * null otherwise, and also while the database is unavailable, so that files can still be sent then.
 */
export async function recordedSha256(
  file: StoredFile,
  findChecksums: FindChecksums,
): Promise<string | null> {
  if (file.sha256 !== undefined) return file.sha256;
  try {
    return (await findChecksums([file])).get(file.name) ?? null;
  } catch (error) {
    if (error instanceof CatalogError && error.kind === 'busy') return null;
    throw error;
  }
}
