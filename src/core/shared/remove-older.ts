import type { FileArea, StoredFile } from './files/file-area.ts';

/**
 * Removes files that `stored` replaces. A file is not removed if another version has its name by
 * now, because a user may have stored that version. If a file cannot be removed, calls `onFailure`
 * with the reason. Returns the files that could not be removed, which are all older than `stored`
 * and therefore no longer used. Throws if a file that is not older could not be removed.
 */
export async function removeOlder(
  area: FileArea,
  files: readonly StoredFile[],
  stored: StoredFile,
  onFailure: (error: unknown) => void,
): Promise<StoredFile[]> {
  const leftovers: StoredFile[] = [];
  for (const { name, etag } of files) {
    try {
      await removeVersion(area, { name, etag });
    } catch (error) {
      const file = await area.find(name);
      if (file?.etag !== etag) continue; // the file was removed, but perhaps not durably
      if (file.mtimeNs >= stored.mtimeNs) throw error;
      leftovers.push(file);
      onFailure(
        new Error(`${name} was replaced but not removed; it is tried again`, { cause: error }),
      );
    }
  }
  return leftovers;
}

/** Removes a file, unless another version has its name by now. */
export async function removeVersion(
  area: FileArea,
  { name, etag }: Pick<StoredFile, 'name' | 'etag'>,
): Promise<void> {
  if ((await area.find(name))?.etag === etag) await area.remove(name);
}
