import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importGames } from '../../support/data/dats.ts';
import type { StockedServer } from './stocked-server.ts';

/** Creates files in every state below the games root of a server. Scans the files. */
export async function addLibraryFiles(server: StockedServer): Promise<void> {
  const [root] = server.catalog.libraryRoots;
  const folder = join(root?.path ?? '', 'more');
  await mkdir(folder);
  const twin = (sha1: string) => [
    { name: 'Twin Peaks Racer (Europe)', roms: [{ name: 'twin.iso', size: '9', sha1 }] },
  ];
  await importGames(server, twin('a'.repeat(40)), 'Sega - Saturn');
  await importGames(server, twin('b'.repeat(40)), 'Sega - Dreamcast');
  const files = {
    'Twin Peaks Racer (Europe).bin': 'one of two',
    'Amber Delta 0 (USA).iso': 'by its name',
    'who-knows-what-this-is-with-a-rather-long-name-that-nobody-cut.bin': 'unknown',
    'cut.zip': 'PK\x03\x04 and no more',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  await server.catalog.library.list({ refresh: true });
}
