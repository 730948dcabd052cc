import { CatalogError, refused } from '../core/shared/errors.ts';
import { openDisc } from './containers/container-readers.ts';
import { pbpSections } from './containers/pbp.ts';
import { recogniseContainer } from './containers/recognise.ts';
import { openIso } from './disc/iso9660.ts';
import { type ImageBytes, MAX_READ, sliceOf } from './image-bytes.ts';
import { openImageFile, readBudget } from './image-file.ts';

/** A picture stored on a disc. */
export interface DiscArt {
  readonly name: 'ICON0.PNG' | 'PIC0.PNG';
  readonly bytes: Buffer;
}

const MAX_BYTES = 10 * 1024 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const names = ['ICON0.PNG', 'PIC0.PNG'] as const;
const folders = ['PSP_GAME', 'UMD_VIDEO', 'UMD_AUDIO'] as const;

/**
 * Returns the picture on a PSP, UMD Video or UMD Music disc, or in an EBOOT.PBP. The image of the
 * disc may be packed, for example as CSO. The picture is ICON0.PNG. If that is missing or
 * unsuitable, it is PIC0.PNG.
 *
 * Returns null if there is no PNG of at most 10 MiB, or if the file is damaged. Throws the
 * operating system's error if the file cannot be opened or read.
 *
 * Source: psdevwiki.com "PARAM.SFO" and "PBP": the pictures are next to PARAM.SFO.
 */
export async function readDiscArt(path: string): Promise<DiscArt | null> {
  const file = await openImageFile(path, readBudget());
  try {
    return await artIn(file);
  } catch (error) {
    if (error instanceof CatalogError && error.kind === 'refused') return null;
    throw error;
  } finally {
    await file.close();
  }
}

async function artIn(file: ImageBytes): Promise<DiscArt | null> {
  const container = await recogniseContainer(file);
  if (container === 'pbp') {
    const section = await pbpSections(file);
    return firstPng(async (name) => section(name));
  }
  const disc = await openDisc(file, container);
  const volume = disc && (await openIso(disc));
  if (!volume) return null;
  for (const folder of folders) {
    const art = await firstPng(async (name) => {
      const found = await volume.find(`${folder}/${name}`);
      return found && sliceOf(disc, found.offset, found.size);
    });
    if (art) return art;
  }
  return null;
}

async function firstPng(
  find: (name: DiscArt['name']) => Promise<ImageBytes | null>,
): Promise<DiscArt | null> {
  for (const name of names) {
    const picture = await find(name);
    if (picture === null || picture.size < PNG.length || picture.size > MAX_BYTES) continue;
    if (!(await picture.read(0, PNG.length)).equals(PNG)) continue;
    return { name, bytes: await readWhole(picture) };
  }
  return null;
}

async function readWhole(image: ImageBytes): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; at < image.size; at += MAX_READ) {
    parts.push(await image.read(at, Math.min(MAX_READ, image.size - at)));
  }
  const bytes = Buffer.concat(parts);
  if (bytes.length !== image.size) throw refused('it became shorter while it was read');
  return bytes;
}
