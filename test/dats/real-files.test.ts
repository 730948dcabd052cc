import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import type { DatHeader, DatRow } from '../../src/core/imports/dat.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { cut, findRealDats, readRows, refusalOf, toLogiqx, withoutLine } from './dat-files.ts';

const NO_DATS = 'skipped: the real DATs are not in ../shared/data/dats';
const real = findRealDats();
let extracted = '';

afterAll(() => {
  if (extracted !== '') rmSync(extracted, { recursive: true });
});

const PSP = 'Sony - PlayStation Portable.dat';
const UMD = 'Sony - PlayStation Portable (UMD Video).dat';

describe('the DAT reader', () => {
  test.for<[string, number, string]>([
    [PSP, 4201, 'Sony - PlayStation Portable'],
    [UMD, 836, 'Sony - PlayStation Portable (UMD Video)'],
  ])('reads %s with %i rows', async ([file, rows, name], ctx) => {
    const dat = await readRows(readReal(file, ctx));
    expect(dat.rows.length).toBe(rows);
    expect(dat.headers.map((header) => header.name)).toEqual([name]);
    expect(dat.format).toBe('clrmamepro');
  });

  test('reads every field of the first row of the PSP file', async (ctx) => {
    const { rows } = await readRows(readReal(PSP, ctx));
    expect(rows[0]).toEqual({
      line: 8,
      name: '-8 (Japan)',
      description: '',
      region: 'Japan',
      releaseRegions: [],
      serial: 'ULJM-06340',
      roms: [
        {
          name: '-8 (Japan).iso',
          size: 1207468032,
          crc32: 'b71764f4',
          md5: '4f7cff5ae7d96abfff141c420f530b68',
          sha1: '3ba8af1354c8ae1e5119dbff19730793c21ad56e',
          serial: 'ULJM-06340',
        },
      ],
      fields: {},
    });
  });

  test.for([UMD])('reads %s with the same rows in chunks and as XML', sameAsXml);
  test.for([PSP])(
    'reads %s with the same rows in chunks and as XML',
    { tags: ['full'] },
    sameAsXml,
  );

  async function sameAsXml(file: string, ctx: TestContext): Promise<void> {
    const bytes = readReal(file, ctx);
    const { headers, rows } = await readRows(bytes);
    const expected = JSON.stringify(rows.map(withoutLine));
    const xml = Buffer.from(toLogiqx(headers[0] as DatHeader, rows));
    for (const lengths of [[bytes.length], [1], [1, 7, 3001, 2, 64, 9999]]) {
      const text = await readRows(cut(bytes, lengths));
      expect(JSON.stringify(text.rows)).toBe(JSON.stringify(rows));
      const fromXml = await readRows(cut(xml, lengths));
      expect(JSON.stringify(fromXml.rows.map(withoutLine))).toBe(expected);
      expect(fromXml.format).toBe('logiqx');
    }
  }

  const allRows = 'reads 113 files with 169,928 rows of redump and no-intro, as XML too';
  test(allRows, { tags: ['full'] }, async (ctx) => {
    if (real === null) ctx.skip(NO_DATS);
    let count = 0;
    const files = [...datsIn('redump'), ...datsIn('no-intro')];
    for (const file of files) {
      const { headers, rows } = await readRows(readFileSync(file));
      count += rows.length;
      expect(rows.every((row) => row.name !== '' && row.roms[0]?.size !== null)).toBe(true);
      const again = await readRows(toLogiqx(headers[0] as DatHeader, rows));
      expect(JSON.stringify(again.rows.map(withoutLine))).toBe(
        JSON.stringify(rows.map(withoutLine)),
      );
    }
    expect(files.length).toBe(113);
    expect(count).toBe(169_928);
  });

  const others = 'reads metadata in the other folders, and redump rows in one file';
  test(others, { tags: ['full'] }, async (ctx) => {
    if (real === null) ctx.skip(NO_DATS);
    const folders = ['developer', 'franchise', 'genre', 'publisher', 'releasemonth', 'releaseyear'];
    const files = [...folders, 'serial'].flatMap(datsIn);
    const keys = new Set<string>();
    const sized = new Map<string, number>();
    for (const file of files) {
      const row = (next: DatRow) => {
        for (const key of Object.keys(next.fields)) keys.add(key);
        if (next.roms.every((rom) => rom.size === null)) return;
        const name = path.relative(extracted, file);
        sized.set(name, (sized.get(name) ?? 0) + 1);
      };
      await readDat(createReadStream(file), { header() {}, row });
    }
    expect(files.length).toBe(327);
    expect([...sized]).toEqual([['developer/Sega - Dreamcast.dat', 22]]);
    expect([...keys].sort()).toEqual([...folders, 'comment', 'releaseday', 'users'].sort());
  });

  test('refuses a real file cut inside a row, and its XML cut anywhere', async (ctx) => {
    const bytes = readReal(UMD, ctx);
    const { headers, rows } = await readRows(bytes);
    const xml = Buffer.from(toLogiqx(headers[0] as DatHeader, rows).trimEnd());
    for (let place = 0; place < 50; place++) {
      const end = Math.floor(((place + 0.37) / 50) * bytes.length);
      const prefix = bytes.subarray(0, end);
      if (!/\n\)\s*$/.test(prefix.toString())) expect(await refusalOf(prefix)).toMatch(/^\d+: /);
      expect(await refusalOf(xml.subarray(0, Math.floor((place / 50) * xml.length)))).toMatch(
        /^\d+: /,
      );
    }
  });
});

function readReal(file: string, ctx: TestContext): Buffer {
  return real === null ? ctx.skip(NO_DATS) : readFileSync(path.join(real, file));
}

/** Returns the files of a folder in the archive. Unpacks the archive on the first call. */
function datsIn(folder: string): string[] {
  if (extracted === '') {
    extracted = mkdtempSync(path.join(tmpdir(), 'catalog-dats-'));
    execFileSync('tar', ['-xf', path.join(real ?? '', 'libretro-dats.tar.xz'), '-C', extracted]);
  }
  const inside = path.join(extracted, folder);
  return readdirSync(inside).map((file) => path.join(inside, file));
}
