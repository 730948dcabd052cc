import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '../../covers/covers-fixture.ts';
import { clrmamepro, game, hashes, xml } from '../support/dat-text.ts';
import { zipOf } from '../support/zip-file.ts';

const real = join(import.meta.dirname, '../../../../shared/data/dats/libretro-dats.tar.xz');

/** Why the real DATs are missing; null if they are there. */
export const realSkipReason = existsSync(real) ? null : `(skipped: no ${real})`;

const top = 'libretro-database-master';
export const platform = 'Test - Console';

/** A DAT of the archive, as an import reports it. */
export const datPath = (path: string) => `master.zip:${top}/${path}`;

const made = { fields: { developer: 'Maker' }, roms: [{ crc: hashes('one').crc }] };
const dats: [string, string][] = [
  [`metadat/developer/${platform}.dat`, clrmamepro([made], platform)],
  [`metadat/no-intro/${platform}.dat`, xml([game('One again', 'one')], platform)],
  [`metadat/redump/${platform}.dat`, xml([game('One', 'one'), game('Two', 'two')], platform)],
];

/** Number of bytes of the DATs of `libretroZip` that are imported. */
export const bytesOfDats = Buffer.byteLength(dats.map(([, text]) => text).join(''));
/** Number of bytes of the first of them, which is that of Redump. */
export const bytesOfFirst = Buffer.byteLength(dats.at(-1)?.[1] ?? '');

/**
 * Returns a zip in the shape in which GitHub sends libretro-database: everything below one folder,
 * with folders that are not imported.
 */
export function libretroZip(padding = 0): Buffer {
  const members: [string, string | Buffer][] = [
    ['.gitignore', 'nothing'],
    ['cht/Console/One.cht', 'cheats = 1'],
    ['dat/Other.dat', xml([game('Not imported', 'other')], 'Test - Other')],
    ...dats,
    ['metadat/tosec/Tosec.dat', xml([game('Not imported', 'tosec')], 'Test - Tosec')],
    ['rdb/Console.rdb', Buffer.alloc(padding, 'r')],
  ];
  return zipOf(
    members.map(([name, content]) => ({ name: `${top}/${name}`, content, isStored: true })),
  );
}

/** Returns a zip of the real DATs of these paths, in the shape of `libretroZip`. */
export async function realZip(paths: readonly string[]): Promise<Buffer> {
  const folder = await useFolder();
  execFileSync('tar', ['-xJf', real, '-C', folder, ...paths]);
  const members = paths.map((path) => ({
    name: `${top}/metadat/${path}`,
    content: readFileSync(join(folder, path)),
  }));
  return zipOf([{ name: `${top}/rdb/none.rdb`, content: '' }, ...members]);
}
