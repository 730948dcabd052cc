import type { FileArea, StoredFile } from './file-area.ts';

/**
 * Removes the files of these names, which `stored` replaces. Returns those that could not be
 * removed but are older than it, so that they no longer count; `onFailure` is called with the
 * reason. Throws if a newer one could not be removed.
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
