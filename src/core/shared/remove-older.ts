import type { FileArea, StoredFile } from './files/file-area.ts';

/**
 * Removes the files with these names, which `stored` replaces. If a file cannot be removed, calls
 * `onFailure` with the reason. Returns the files that could not be removed, which are all older
 * than `stored` and therefore no longer used. Throws if a file that is not older could not be
 * removed.
 */
export async function removeOlder(
  area: FileArea,
  names: readonly string[],
  stored: StoredFile,
  onFailure: (error: unknown) => void,
): Promise<StoredFile[]> {
  const leftovers: StoredFile[] = [];
  for (const name of names) {
    try {
      await area.remove(name);
    } catch (error) {
      const file = await area.find(name);
      if (file === null) continue; // the file was removed, but perhaps not durably
      if (file.mtimeNs >= stored.mtimeNs) throw error;
      leftovers.push(file);
      onFailure(
        new Error(`${name} was replaced but not removed; it is tried again`, { cause: error }),
      );
    }
  }
  return leftovers;
}
