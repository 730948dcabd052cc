/** Maximum number of files in a folder, so that its listing is read at a glance. */
const maxFiles = 20;

const counted = /^(src|page\/src|page\/test|test)\//;
/** Folders without a limit. Their files are numbered or generated, and are not found by name. */
const uncounted = /\/migrations\/|^test\/sql\/fixtures\//;

/** Returns a line for each folder with more than 20 files, given the paths of all files. */
export function findCrowdedRooms(files: readonly string[]): string[] {
  const sizes = new Map<string, number>();
  for (const file of files) {
    if (!counted.test(file) || uncounted.test(file)) continue;
    const folder = file.slice(0, file.lastIndexOf('/'));
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return [...sizes]
    .filter(([, size]) => size > maxFiles)
    .map(([folder, size]) => `folders: ${folder} has ${size} files, the limit is ${maxFiles}`);
}
