/**
 * Names of files that operating systems add to folders. Users do not intend to upload these files.
 */
const junk = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/**
 * Returns the dropped files, including all files in dropped folders, at any depth. Call this while
 * the drop event is being handled, because `data` is empty afterwards.
 */
export async function droppedFiles(data: DataTransfer): Promise<readonly File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const plain = [...data.files];
  if (entries.every((entry) => entry === null)) return withoutJunk(plain);
  const found: File[] = [];
  for (const entry of entries) if (entry !== null) await collect(entry, found);
  return withoutJunk(found);
}

/** Returns the files without those that operating systems add to folders. */
export function withoutJunk(files: readonly File[]): readonly File[] {
  return files.filter(({ name }) => !junk.has(name));
}

async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (isFile(entry)) found.push(await new Promise<File>((...done) => entry.file(...done)));
  else if (isFolder(entry)) for await (const each of entriesOf(entry)) await collect(each, found);
}

/**
 * Yields the entries of a folder. The browser's reader returns the entries in batches; an empty
 * batch means that there are no more entries.
 */
async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done));
    if (part.length === 0) return;
    yield* part;
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
