/**
 * Returns a key of a file's name in an archive. If two names have the same key, a device treats
 * them as the same file. The key is the last part of the path, in Unicode NFC and in lower case.
 */
export function memberKey(name: string): string {
  return name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .normalize('NFC')
    .toLowerCase();
}
