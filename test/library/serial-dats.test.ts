/** @module-tag full */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Edition, noEdition } from '../../src/core/library/identity.ts';
import type { IdentifiedFile } from '../../src/core/library/library-file.ts';
import { areasOf } from '../../src/core/library/match/edition.ts';
import { matchFiles } from '../../src/core/library/match/match-files.ts';
import { newDraft } from '../../src/disk/draft.ts';
import { findRealDat } from '../support/data/dats.ts';
import { useLibrary } from './library-fixture.ts';

const archive = findRealDat('libretro-dats.tar.xz');
const skipReason = archive === null ? 'skipped: needs the real DATs' : null;

/** A dump in a DAT with one of its serials. */
interface Dump {
  readonly name: string;
  readonly serial: string;
  readonly size: number;
  readonly region: string;
}

type Disc = NonNullable<IdentifiedFile['identity']['disc']>;

interface Console {
  readonly platform: string;
  readonly disc: Disc;
  /**
   * Returns the serial that a disc states for a printed serial. Returns null if no disc states it.
   */
  readonly stated: (serial: string) => string | null;
  readonly edition: (dump: Dump) => Edition;
  /**
   * The minimum share of dumps for which the correct release is found, with and without the image
   * size.
   */
  readonly least: readonly [withSize: number, without: number];
}

const sony = (serial: string) => /^[A-Z]{4}-\d{5}/.exec(serial)?.[0] ?? null;
const sega = (serial: string) => {
  const number = serial.replace(/^((?:T|MK|HDR|GS)-\d+[A-Z]?|\d{4,5})-\d.*$/, '$1');
  return /^\d{4,5}$/.test(number) ? `MK-${number}` : number;
};
const numberOf = (name: string) => Number(/\(Disc (\d+)\)/.exec(name)?.[1] ?? 0) || null;
const versionOf = (name: string) => /\(v(\d{1,2}\.\d{2,3})\)/i.exec(name)?.[1];
const ofSony = ({ name }: Dump): Edition => ({
  ...noEdition,
  version: versionOf(name) ?? '1.00',
});
const ofSega = ({ name, region }: Dump): Edition => ({
  disc: numberOf(name),
  revision: null,
  version: versionOf(name) ?? '1.000',
  areas: [...areasOf(region)],
});

const consoles: readonly Console[] = [
  {
    platform: 'Sega - Saturn',
    disc: 'saturn',
    stated: sega,
    edition: ofSega,
    least: [0.95, 0.85],
  },
  {
    platform: 'Sega - Dreamcast',
    disc: 'dreamcast',
    stated: sega,
    edition: ofSega,
    least: [0.89, 0.83],
  },
  {
    platform: 'Sony - PlayStation',
    disc: 'psx',
    stated: sony,
    edition: () => noEdition,
    least: [0.96, 0.91],
  },
  {
    platform: 'Sony - PlayStation 2',
    disc: 'ps2',
    stated: sony,
    edition: ofSony,
    least: [0.98, 0.96],
  },
  {
    platform: 'Sony - PlayStation Portable',
    disc: 'psp',
    stated: sony,
    edition: ofSony,
    least: [0.98, 0.97],
  },
];

describe('the matching by serial', () => {
  for (const { platform, disc, stated, edition, least } of consoles) {
    test.skipIf(skipReason !== null)(
      `matches no serial of ${platform} with a wrong release ${skipReason ?? ''}`,
      async () => {
        const library = await useLibrary();
        const member = `redump/${platform}.dat`;
        execFileSync('tar', ['-xJf', archive as string, '-C', library.folder, member]);
        const dat = join(library.folder, member);
        await library.importFile(dat);
        const dumps = listDumps(readFileSync(dat, 'utf8'));
        const releases = await library.sql.read
          .selectFrom('release')
          .select(['id', 'name'])
          .execute();
        const names = new Map(releases.map(({ id, name }) => [id, name]));
        for (const [index, hasSize] of [true, false].entries()) {
          const sums = { dumps: 0, right: 0, tied: 0, none: 0, wrong: [] as string[] };
          const files: IdentifiedFile[] = [];
          const expected: string[] = [];
          for (const dump of dumps) {
            const serial = stated(dump.serial);
            if (serial === null) continue;
            const imageSize = hasSize ? dump.size : null;
            files.push(fileOf({ disc, serial, edition: edition(dump), imageSize }, files.length));
            expected.push(dump.name);
          }
          for (let at = 0; at < files.length; at += 500) {
            const scans = await matchFiles(library.records.catalogue, files.slice(at, at + 500));
            for (const [i, { match, tied }] of scans.entries()) {
              const name = expected[at + i] as string;
              sums.dumps += 1;
              if (match === null) sums[tied.length > 0 ? 'tied' : 'none'] += 1;
              else if (names.get(match.releaseId) === name) sums.right += 1;
              else
                sums.wrong.push(
                  `${name}: ${names.get(match.releaseId)} (${files[at + i]?.identity.serial})`,
                );
            }
          }
          console.log(
            platform,
            hasSize ? 'with size' : 'without',
            { ...sums, wrong: sums.wrong.length },
            sums.wrong.slice(0, 12),
          );
          expect.soft(sums.wrong).toEqual([]);
          expect.soft(sums.right).toBeGreaterThan(sums.dumps * (least[index] as number));
        }
      },
    );
  }
});

function fileOf(
  stated: Pick<IdentifiedFile['identity'], 'disc' | 'serial' | 'edition' | 'imageSize'>,
  index: number,
): IdentifiedFile {
  const name = `nonsense ${index}.bin`;
  const place = { path: `/${index}/${name}`, name, size: 1, mtimeNs: 0n, inode: 0n };
  return { ...place, identity: { ...newDraft(), ...stated }, reader: '', hashes: null };
}

/** Returns the dumps that have a serial, one for each name and hash. */
function listDumps(text: string): Dump[] {
  const dumps = new Map<string, Dump>();
  for (const row of text.split(/\n(?=game \()/).slice(1)) {
    const of = (pattern: RegExp) => pattern.exec(row)?.[1] ?? '';
    const [name, serial] = [of(/^\tname "(.*)"/m), of(/^\tserial "(.*)"/m)];
    const key = `${name} ${of(/sha1 (\w+)/)}`;
    if (serial === '' || dumps.has(key)) continue;
    const size = Number(of(/ size (\d+)/));
    dumps.set(key, { name, serial, size, region: of(/^\tregion "(.*)"/m) });
  }
  return [...dumps.values()];
}
