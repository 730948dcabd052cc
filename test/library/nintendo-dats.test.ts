/** @module-tag full */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRealDat } from '../support/data/dats.ts';
import { nintendoImage } from '../support/images/disc-images.ts';
import { useLibrary } from './library-fixture.ts';

const archive = findRealDat('libretro-dats.tar.xz');
const skipReason = archive === null ? 'skipped: needs the real DATs' : null;

/** A dump that a DAT lists, with the values that the header of its disc states. */
interface Dump {
  readonly name: string;
  readonly id: string;
  readonly disc: number;
  readonly revision: number;
}

const consoles = [
  { platform: 'Nintendo - GameCube', kind: 'gamecube', dumps: 2013 },
  { platform: 'Nintendo - Wii', kind: 'wii', dumps: 3754 },
] as const;

describe('the matching of Nintendo discs', () => {
  for (const { platform, kind, dumps: count } of consoles) {
    test.skipIf(skipReason !== null)(
      `matches no disc of ${platform} with a wrong release ${skipReason ?? ''}`,
      async () => {
        const library = await useLibrary();
        const member = `redump/${platform}.dat`;
        execFileSync('tar', ['-xJf', archive as string, '-C', library.folder, member]);
        const dat = join(library.folder, member);
        await library.importFile(dat);
        const { dumps, all } = listDumps(readFileSync(dat, 'utf8'));
        expect(all).toBe(count);
        for (const [index, { id, ...header }] of dumps.entries()) {
          const folder = join(library.games.path, `${index % 100}`);
          await mkdir(folder, { recursive: true });
          const image = nintendoImage(id, '', kind, header).subarray(0, 0x200);
          await writeFile(join(folder, `nonsense ${index}.bin`), image);
        }
        await library.scan();
        const releases = await library.sql.read
          .selectFrom('release')
          .select(['id', 'name'])
          .execute();
        const names = new Map(releases.map(({ id, name }) => [id, name]));
        const found = new Map((await library.items()).map((item) => [item.name, item.releaseId]));
        const sums = { right: 0, tied: 0, wrong: [] as string[] };
        for (const [index, { name }] of dumps.entries()) {
          const id = found.get(`nonsense ${index}.bin`) ?? null;
          if (id === null) sums.tied += 1;
          else if (names.get(id) === name) sums.right += 1;
          else sums.wrong.push(`${name}: ${names.get(id)}`);
        }
        console.log(platform, { dumps: dumps.length, ...sums });
        expect(sums.wrong).toEqual([]);
        expect(sums.right).toBeGreaterThan(dumps.length * 0.98);
      },
    );
  }
});

/**
 * Returns the dumps with a serial that contains the four-letter code of a disc. `all` is the number
 * of all dumps.
 */
function listDumps(text: string): { dumps: Dump[]; all: number } {
  const byDump = new Map<string, Dump | null>();
  for (const row of text.split(/\n(?=game \()/).slice(1)) {
    const of = (pattern: RegExp) => pattern.exec(row)?.[1] ?? '';
    const name = of(/^\tname "(.*)"/m);
    const serial = of(/^\tserial "(.*)"/m);
    const key = `${name} ${of(/sha1 (\w+)/)}`;
    const [, code, disc = '0'] = /-([A-Z0-9]{4})-(?:(\d)-)?[A-Z]{3}/.exec(serial) ?? [];
    if (byDump.get(key) || code === undefined) {
      if (!byDump.has(key)) byDump.set(key, null);
      continue;
    }
    // Korean GameCube discs with an American ID number their revisions from 0x30.
    const isKorean = /-DOL-...E-.*KOR/.test(serial);
    byDump.set(key, {
      name,
      id: `${code}01`,
      disc: name.includes('(Disc ')
        ? Number(/\(Disc (\d)/.exec(name)?.[1] ?? Number(disc) + 1) - 1
        : Number(disc),
      revision: Number(/\(Rev (\d)\)/.exec(name)?.[1] ?? 0) + (isKorean ? 0x30 : 0),
    });
  }
  return { dumps: [...byDump.values()].filter((dump) => dump !== null), all: byDump.size };
}
