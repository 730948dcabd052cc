import { access } from 'node:fs/promises';
import { refused } from '../../core/shared/errors.ts';
import { checkRange, type ImageBytes } from '../image-bytes.ts';
import { type ImageFile, openImageFile, type ReadBudget } from '../image-file.ts';

const MAX_PARTS = 999;

/**
 * Returns the extension of a file that is a later part of a split file: `.002` to `.999`. The first
 * part, `.001`, must be in the same folder. Returns null for every other file.
 */
export async function laterPart(path: string): Promise<string | null> {
  const [ending = ''] = /\.(?!00[01]$)\d{3}$/.exec(path) ?? [];
  if (ending === '') return null;
  const first = access(`${path.slice(0, -4)}.001`);
  return first.then(
    () => ending,
    () => null,
  );
}

/**
 * Opens a file as an image. If the file is the first part of a split file (`.001`), the image joins
 * all parts (`.002` and so on). `parts` contains the extensions of the later parts. Throws the same
 * errors as `openImageFile`. A read throws a `CatalogError` of kind `refused` if the size of a part
 * has changed.
 */
export async function openWithParts(
  path: string,
  budget?: ReadBudget,
): Promise<ImageFile & { parts: readonly string[] }> {
  const first = await openImageFile(path, budget);
  if (!path.endsWith('.001')) return Object.assign(first, { parts: [] });
  const files = [{ path, size: first.size }];
  let open = { index: 0, file: first };
  try {
    for (let number = 2; number <= MAX_PARTS; number += 1) {
      const next = `${path.slice(0, -3)}${String(number).padStart(3, '0')}`;
      const file = await openImageFile(next, budget).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (file === null) break;
      files.push({ path: next, size: file.size });
      await file.close();
    }
  } catch (error) {
    await first.close();
    throw error;
  }
  const starts: number[] = [];
  let size = 0;
  for (const file of files) {
    starts.push(size);
    size += file.size;
  }

  async function readPart(index: number, offset: number, length: number): Promise<Buffer> {
    if (open.index !== index) {
      const file = await openImageFile(files[index]?.path ?? '', budget);
      await open.file.close();
      open = { index, file };
      if (file.size !== files[index]?.size) throw refused('a part of it changed while it was read');
    }
    return open.file.read(offset, length);
  }

  const joined: ImageBytes = {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      const out: Buffer[] = [];
      for (let at = offset, left = length; left > 0; ) {
        const index = starts.findLastIndex((start) => start <= at);
        const into = at - (starts[index] ?? 0);
        const some = Math.min(left, (files[index]?.size ?? 0) - into);
        out.push(await readPart(index, into, some));
        at += some;
        left -= some;
      }
      return out.length === 1 ? (out[0] as Buffer) : Buffer.concat(out);
    },
  };
  const parts = files.slice(1).map((file) => file.path.slice(-4));
  return { ...joined, parts, close: () => open.file.close() };
}
