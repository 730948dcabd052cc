import type { FileArea, StoredFile } from './file-area.ts';

/**
 * Removes the files of these names, which `stored` replaces. Returns the files that could not be
 * removed and are older than `stored`, so that they are no longer used. For each of them, calls
 * `onFailure` with the reason. Throws if a file that is not older could not be removed.
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
      if (file === null) continue; // removed, but perhaps not durably
      if (file.mtimeNs >= stored.mtimeNs) throw error;
      leftovers.push(file);
      onFailure(
        new Error(`${name} was replaced but not removed; it is tried again`, { cause: error }),
      );
    }
  }
  return leftovers;
}
