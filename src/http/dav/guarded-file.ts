import type { OpenedFile } from '../../core/shared/files/file-area.ts';

/**
 * Returns a file whose `read` first awaits `check`, and rejects if `check` does. `head` and
 * `stream` are not guarded, because responses do not use them. `onStart` is called before the first
 * read.
 */
export function guardedFile(
  file: OpenedFile,
  { check, onStart }: { check: () => Promise<void>; onStart: () => void },
): OpenedFile {
  let isStarted = false;
  return {
    ...{ name: file.name, size: file.size, mtimeNs: file.mtimeNs, etag: file.etag },
    head: (length) => file.head(length),
    async read(buffer, position) {
      await check();
      if (!isStarted) onStart();
      isStarted = true;
      return file.read(buffer, position);
    },
    stream: (range) => file.stream(range),
    close: () => file.close(),
  };
}
