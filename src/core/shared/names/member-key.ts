/**
 * Returns a text that is the same for names of files in an archive that mean the same file for a
 * device: the last part of the path, without regard to case or to how letters are composed.
 */
export function memberKey(name: string): string {
  return name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .normalize('NFC')
    .toLowerCase();
}
