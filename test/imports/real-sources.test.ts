/** @module-tag full */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { imported, nonZero, useImports } from './support/imports-fixture.ts';

const archive = join(import.meta.dirname, '../../../shared/data/dats/libretro-dats.tar.xz');
const isThere = existsSync(archive);
const psp = 'Sony - PlayStation Portable.dat';

describe.skipIf(!isThere)(
  `two real sources of the PSP${isThere ? '' : ` (skipped: no ${archive})`}`,
  () => {
    test('give the same dumps once in either order, and change nothing if repeated', async () => {
      const ends: string[] = [];
      for (const order of [
        ['redump', 'no-intro'],
        ['no-intro', 'redump'],
      ]) {
        const imports = await useImports();
        execFileSync('tar', [
          '-xJf',
          archive,
          '-C',
          imports.folder,
          `redump/${psp}`,
          `no-intro/${psp}`,
        ]);
        const paths = order.map((source) => join(imports.folder, source, psp));
        const counts = (await imports.run(paths)).map((report) => nonZero(imported(report).counts));
        expect(counts).toMatchObject(
          order[0] === 'redump'
            ? [
                { releases: 3456, new: 3456 },
                { releases: 3441, new: 321, joined: 3120 },
              ]
            : [
                { releases: 3441, new: 3441 },
                { releases: 3456, new: 336, joined: 3120 },
              ],
        );
        const dumps = imports.query<{
          dump: string;
        }>(`SELECT group_concat(coalesce(nullif(sha1, ''), crc32 || size)) AS dump
        FROM (SELECT * FROM rom ORDER BY release_id, position) GROUP BY release_id ORDER BY 1`);
        expect(dumps).toHaveLength(3777);
        ends.push(JSON.stringify(dumps));
        const before = imports.dump({ withoutHistory: true });
        const again = (await imports.run(paths)).map((report) => nonZero(imported(report).counts));
        expect(again.map(({ unchanged, releases }) => unchanged === releases)).toEqual([
          true,
          true,
        ]);
        expect(again.flatMap(Object.keys)).not.toContain('gone');
        expect(imports.dump({ withoutHistory: true }) === before).toBe(true);
        const [others] = imports.query<{ n: number }>(`SELECT count(*) AS n FROM source_row
        JOIN release ON release.id = release_id WHERE source_row.name <> release.name`);
        expect(others?.n).toBe(2322);
      }
      expect(ends[0] === ends[1]).toBe(true);
    });
  },
);
