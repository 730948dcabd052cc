import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDats } from '../../../src/dats/files/find-dats.ts';
import { useFolder } from '../../covers/covers-fixture.ts';
import { game, xml } from '../support/dat-text.ts';
import { type Member, zipOf } from '../support/zip-file.ts';

const dat = (name: string): Member => ({ name, content: xml([game(name, name)], name) });
const cheats = Array.from({ length: 20_000 }, (_, at): Member => {
  return { name: `db/cht/${at}.cht`, content: '', isStored: true };
});

async function namesIn(members: readonly Member[]): Promise<string[]> {
  const path = join(await useFolder(), 'a.zip');
  await writeFile(path, zipOf(members));
  const found = await findDats([path]);
  return found.map((file) => file.path.slice(path.length + 1));
}

describe('the reader of the libretro zip', () => {
  test('finds only the DATs of Redump and No-Intro in the zip of the whole database', async () => {
    const redump = dat('db/metadat/redump/A.dat');
    const noIntro = dat('db/metadat/no-intro/A.dat');
    const rest = [dat('db/metadat/mame/A.dat'), dat('db/dat/A.dat'), dat('db/rdb/A.rdb')];
    expect(await namesIn([...cheats, noIntro, ...rest, redump])).toEqual([
      redump.name,
      noIntro.name,
    ]);
  });

  test('finds all DATs in a zip of other folders, but none among too many files', async () => {
    const members = [dat('metadat/mame/A.dat'), dat('metadat/redump/A.dat')];
    expect(await namesIn(members)).toEqual(members.map(({ name }) => name));
    expect(await namesIn([...cheats, dat('db/metadat/redump/A.dat')])).toEqual(['']);
  });
});
