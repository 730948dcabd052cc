import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BulkCoverFetcher } from '../../src/core/covers/bulk-cover-fetcher.ts';
import { useSandbox } from '../support/process.ts';
import {
  actor,
  chunks,
  coversOf,
  png,
  signal,
  useCatalog,
  useCoverSearch,
  useFolder,
  useSource,
} from './covers-fixture.ts';

const games = Array.from({ length: 8 }, (_, at) => `Game ${at}`);

/** Opens a sandbox with these games imported. The catalogue is closed. */
async function useGames(names: string[] = games) {
  const sandbox = await useSandbox();
  await (await useCatalog(names, { data: sandbox.data })).close();
  return sandbox;
}

const nothing = {
  releases: 0,
  stored: 0,
  missing: 0,
  remembered: 0,
  removed: 0,
  failed: 0,
  kept: 0,
  lastFailure: null,
};

describe('catalog covers fetch', () => {
  test('fetches missing covers and requests those that the source lacks only once', async () => {
    const source = await useSource(coversOf('Game 1', 'Game 2'));
    const sandbox = await useGames(['Game 1', 'Game 2', 'Game 3']);
    const fetch = async () => {
      const args = ['covers', 'fetch', '--json', '--cover-source', source.base];
      const { code, stdout, stderr } = await sandbox.run(args);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    expect(await fetch()).toEqual({ ...nothing, releases: 3, stored: 2, missing: 1 });
    expect(await fetch()).toEqual({ ...nothing, releases: 1, remembered: 1 });
    expect(source.requests.length).toBe(3);
  });

  test('prints the result as a sentence without --json', { tags: ['full'] }, async () => {
    const source = await useSource(coversOf('Game 1'));
    const sandbox = await useGames(['Game 1', 'Game 2']);
    const env = { CATALOG_COVER_SOURCE: source.base };
    const { stdout } = await sandbox.run(['covers', 'fetch', '--system', 'games'], { env });
    expect(stdout).toBe(
      '2 releases: 1 covers fetched, 1 not found, 0 skipped (not found earlier), 0 failed\n',
    );
    const other = await sandbox.run(['covers', 'fetch', '--system', 'videos', '--json'], { env });
    expect(JSON.parse(other.stdout)).toEqual(nothing);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'continues where it stopped after %s',
    { tags: ['full'] },
    async (name) => {
      const respond = coversOf(...games);
      const responded = 3;
      // Only the first requests get a response while the program runs.
      const source = await useSource((request, response) => {
        if (source.requests.length <= responded) respond(request, response);
      });
      const sandbox = await useGames();
      const env = { CATALOG_COVER_SOURCE: source.base };
      const first = sandbox.start(['covers', 'fetch'], env);
      await expect.poll(() => source.requests.length).toBeGreaterThan(responded);
      first.kill(name);
      const { code, stderr } = await first.ended;
      if (name === 'SIGINT') {
        expect(code).toBe(130);
        expect(stderr).toBe('catalog: stopped; covers that were stored so far are kept\n');
      }
      // At most three requests were in progress when the program ended.
      const before = source.requests.length;
      expect(before).toBeLessThanOrEqual(responded + 3);
      source.respond = respond;
      const { stdout } = await sandbox.run(['covers', 'fetch', '--json'], { env });
      const report = JSON.parse(stdout);
      expect(report.stored).toBe(report.releases);
      expect(report.releases).toBeLessThan(games.length);
      // Covers that are stored are not requested again.
      expect(new Set(source.requests).size).toBe(games.length);
      expect(source.requests.length - games.length).toBeLessThanOrEqual(3);
    },
  );

  test('is refused while another fetch runs', { tags: ['full'] }, async () => {
    const source = await useSource(() => undefined);
    const sandbox = await useGames();
    const env = { CATALOG_COVER_SOURCE: source.base };
    sandbox.start(['covers', 'fetch'], env);
    await expect.poll(() => source.requests.length).toBeGreaterThan(0);
    const { code, stderr } = await sandbox.run(['covers', 'fetch'], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^catalog: another covers-fetch is running/);
  });

  test('is refused without a cover source', { tags: ['full'] }, async () => {
    const sandbox = await useGames(['Game 1']);
    const { code, stderr } = await sandbox.run(['covers', 'fetch', '--cover-source', '']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'catalog: there is no cover source: set --cover-source or CATALOG_COVER_SOURCE\n',
    );
  });

  test("replaces covers from discs unless given --missing, but never a user's cover", async () => {
    const source = await useSource(coversOf(...games));
    const names = ['Game 1', 'Game 2', 'Game 3', 'Game 4'];
    const fixture = await useCatalog(names, { base: source.base });
    const { covers, bulkCoverFetcher } = fixture.catalog;
    await fixture.upload('Game 1', png('uploaded'));
    await writeFile(join(fixture.data, 'covers', '2.png'), png('laid there'));
    const fromDisc = await covers.stage(chunks(png('disc')));
    await covers.put(3, fromDisc, actor, { kind: 'disc', from: 'x.iso' });
    const options = { system: undefined, signal, onProgress: () => undefined };

    const first = await bulkCoverFetcher.run({ ...options, onlyMissing: true });
    expect(first).toEqual({ ...nothing, releases: 1, stored: 1 });
    expect(await fixture.cover('Game 3')).toMatch(/disc$/);

    const second = await bulkCoverFetcher.run({ ...options, onlyMissing: false });
    expect(second).toEqual({ ...nothing, releases: 1, stored: 1 });
    expect(await fixture.cover('Game 1')).toMatch(/uploaded$/);
    expect(await fixture.cover('Game 2')).toMatch(/laid there$/);
    expect(await fixture.cover('Game 3')).toMatch(/Game 3\.png$/);
  });

  test('ends early when the source is unavailable, and reports its error', async () => {
    const source = await useSource((_request, response) => response.writeHead(503).end());
    const fixture = await useCatalog(games);
    const { coverSearch, records } = await useCoverSearch(fixture, source.base);
    const fetcher = new BulkCoverFetcher({
      search: coverSearch,
      covers: fixture.catalog.covers,
      records,
    });
    const options = { system: undefined, onlyMissing: true, signal, onProgress: () => undefined };
    await expect(fetcher.run(options)).rejects.toThrow('does not answer (it answers 503)');
    expect(source.requests.length).toBeLessThanOrEqual(7);
  });

  test('repeats a request after a 429 once the requested delay is over', async () => {
    let refusals = 1;
    const source = await useSource((_request, response) => {
      if (refusals-- > 0) response.writeHead(429, { 'retry-after': '40' }).end();
      else response.end(png());
    });
    const fixture = await useCatalog(['Game 1']);
    const { coverSearch, records } = await useCoverSearch(fixture, source.base, [1_000]);
    const fetcher = new BulkCoverFetcher({
      search: coverSearch,
      covers: fixture.catalog.covers,
      records,
    });
    const waits = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => waits.mockRestore());
    const ofWait = () => waits.mock.calls.find(([, ms]) => ms === 40_000);
    const options = { system: undefined, onlyMissing: true, signal, onProgress: () => undefined };
    const fetching = fetcher.run(options);
    await expect.poll(ofWait).toBeDefined();
    const [end] = ofWait() ?? [];
    expect(source.requests.length).toBe(1);
    end?.();
    expect(await fetching).toEqual({ ...nothing, releases: 1, stored: 1 });
    expect(source.requests.length).toBe(2);
  });

  test('fetches only the covers of releases with a library file if given --owned', async () => {
    const source = await useSource(coversOf(...games));
    const roots = await useFolder();
    for (const at of [2, 5]) await writeFile(join(roots, `Game ${at}.iso`), `content ${at}`);
    const { catalog, idOf } = await useCatalog(games, { base: source.base, roots });
    await catalog.scanner.scan({
      roots: catalog.libraryRoots,
      ...{ hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
      signal,
      onProgress() {},
    });
    const progress: (readonly [number, number])[] = [];
    const options = {
      system: undefined,
      onlyMissing: false,
      onlyOwned: true,
      signal,
      onProgress: ({ done, total }: { done: number; total: number }) =>
        progress.push([done, total]),
    };
    expect(await catalog.bulkCoverFetcher.run(options)).toEqual({
      ...nothing,
      releases: 2,
      stored: 2,
    });
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(source.requests.map((path) => /Game%20\d/.exec(path)?.[0]).sort()).toEqual([
      'Game%202',
      'Game%205',
    ]);
    expect(await catalog.bulkCoverFetcher.run(options)).toEqual(nothing);
    const releaseIds = [await idOf('Game 1'), await idOf('Game 2')];
    expect(await catalog.bulkCoverFetcher.run({ ...options, releaseIds })).toEqual(nothing);
    expect(source.requests).toHaveLength(2);
  });
});
