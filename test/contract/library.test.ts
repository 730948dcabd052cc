import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Imports } from '../../src/core/imports/imports.ts';
import { Releases } from '../../src/core/releases/releases.ts';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { emptyTexts } from '../../src/core/shared/release-fields.ts';
import { findDats } from '../../src/dats/files/find-dats.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { newDraft } from '../../src/disk/draft.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { SqlImportRecords } from '../../src/sql/imports/import-records.ts';
import { sqlLibraryRecords } from '../../src/sql/library/library-records.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { type RowText, xml } from '../imports/support/dat-text.ts';
import { describeEngines } from './fixtures/engines.ts';
import { noCovers } from './fixtures/use-releases.ts';
import { catalogueEvidenceContract } from './suites/catalogue-evidence.ts';
import { libraryListContract } from './suites/library-list.ts';
import { libraryScansContract } from './suites/library-scans.ts';

describeEngines('$name: library records', (one) => {
  async function open() {
    const { engine, close } = await one.open();
    onTestFinished(close);
    return { engine, ...sqlLibraryRecords({ engine, clock }) };
  }

  describe('the store of scanned files', () => libraryScansContract(open));

  describe('the list of library items', () =>
    libraryListContract(async () => {
      const parts = await open();
      return { ...parts, ...releasesOf(parts.engine) };
    }));

  test('are read in small parts, however many files there are', async () => {
    const { engine, store, scanned } = await open();
    const root = { path: '/games', system: 'games' as const };
    const scans = Array.from({ length: 1_000 }, (_, number) => {
      const place = {
        path: `/games/${number}`,
        name: `${number}`,
        size: 1,
        mtimeNs: 1n,
        inode: 1n,
      };
      const file = { ...place, identity: newDraft(), reader: '', hashes: null };
      return { file, match: null, tied: [], evidence: {} };
    });
    await store.save(root, scans);
    const paths = scans.map(({ file }) => file.path);
    let found: { path: string }[] = [];
    const longest = await longestResultOf(engine, async () => {
      found = await scanned.filesAt(root, paths);
    });
    expect(found.map(({ path }) => path).sort()).toEqual(paths.sort());
    expect(longest).toBeGreaterThan(1_000);
    expect(longest).toBeLessThan(200_000);
  });

  describe('the lookup of evidence in the catalogue', () =>
    catalogueEvidenceContract(async () => {
      const { engine, catalogue } = await open();
      const folder = await mkdtemp(join(tmpdir(), 'catalog-contract-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const longestResult = (work: () => Promise<unknown>) => longestResultOf(engine, work);
      return { catalogue, longestResult, ...catalogueOf(engine, folder) };
    }));
});

async function longestResultOf(engine: Engine, work: () => Promise<unknown>): Promise<number> {
  const queries = vi.spyOn(engine.read.getExecutor(), 'executeQuery');
  await work();
  const responses = await Promise.all(queries.mock.results.map(({ value }) => value));
  queries.mockRestore();
  return Math.max(...responses.map(({ rows }) => JSON.stringify(rows).length));
}

function releasesOf(engine: Engine) {
  return {
    addRelease(roms: readonly { name: string; size: number }[] = []): Promise<number> {
      const hashes = { crc32: '', md5: '', sha1: '', serial: '' };
      return engine.write(async (db) => {
        const { id } = await db
          .insertInto('release')
          .values({ ...emptyTexts, platform_id: null, system: 'videos', name: 'R' })
          .returning('id')
          .executeTakeFirstOrThrow();
        for (const [position, rom] of roms.entries()) {
          const row = { release_id: id, position, ...rom, ...hashes };
          await db.insertInto('rom').values(row).execute();
        }
        return id;
      });
    },
    async removeRelease(id: number): Promise<void> {
      await engine.write((db) => db.deleteFrom('release').where('id', '=', id).execute());
    },
  };
}

function catalogueOf(engine: Engine, folder: string) {
  const records = new SqlImportRecords({ engine, clock });
  const releasesWithCover = async () => new Set<number>();
  const imports = new Imports({ records, readDat, findDats, releasesWithCover });
  return {
    async take(rows: readonly RowText[], platform: string, source?: string): Promise<void> {
      const path = join(folder, 'one.dat');
      await writeFile(path, xml(rows, platform));
      const { signal } = new AbortController();
      const options = { source, signal, onProgress() {}, onFile() {} };
      const { files } = await imports.importPaths([path], options, { kind: 'system' });
      if (files[0] === undefined || 'refused' in files[0]) throw new Error(files[0]?.refused);
    },
    async edit(name: string, changes: { name: string }): Promise<void> {
      const { id } = await engine.read
        .selectFrom('release')
        .select('id')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      const releases = new Releases(new SqlReleaseRecords({ engine, clock }), noCovers);
      await releases.edit(id, changes, { kind: 'system' });
    },
  };
}
