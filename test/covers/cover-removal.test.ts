import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { importGames } from '../support/data/dats.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { pspIso } from '../support/images/disc-images.ts';
import { useSandbox, waitForUrl } from '../support/process.ts';
import { toolsSkipReason } from '../support/tools.ts';
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

const skipReason = toolsSkipReason('xorriso');
const search = { signal, isBackground: false };
const year = 365 * 24 * 60 * 60_000;

describe('the cover search', () => {
  test('does not fetch a removed cover on request until one is uploaded', {
    tags: ['full'],
  }, async () => {
    const source = await useSource(coversOf('Game 1'));
    const sandbox = await useSandbox();
    await (await useCatalog(['Game 1'], { data: sandbox.data })).close();
    const account = await sandbox.serve();
    const args = ['serve', '--minimal', '--host', '127.0.0.1', '--port', '0'];
    const minimal = sandbox.start(args, { CATALOG_COVER_SOURCE: source.base });
    const url = await waitForUrl(minimal);
    const shown = async () => (await sendRequest(`${url}/api/cover/1`)).status;
    const token = await logIn(account.url);
    const own = `${account.url}/api/cover/1`;
    expect(await shown()).toBe(200);
    expect((await sendRequest(own, { method: 'DELETE', token })).json).toEqual({ ok: true });
    expect([await shown(), await shown()]).toEqual([404, 404]);
    expect((await sendRequest(own, { ...fileForm('a.png', png()), token })).status).toBe(200);
    expect(await shown()).toBe(200);
    expect(source.requests.length).toBe(1);
  });

  test('fetches a removed cover with `catalog covers fetch` only if given --removed', {
    tags: ['full'],
  }, async () => {
    const source = await useSource(coversOf('Game 1', 'Game 2'));
    const sandbox = await useSandbox();
    const fixture = await useCatalog(['Game 1', 'Game 2'], { data: sandbox.data });
    await fixture.upload('Game 1', png('mine'));
    await fixture.catalog.covers.remove(1, actor);
    await fixture.close();
    const fetch = async (...more: string[]) => {
      const env = { CATALOG_COVER_SOURCE: source.base };
      return (await sandbox.run(['covers', 'fetch', ...more], { env })).stdout;
    };
    expect(await fetch('--missing')).toBe(
      '2 releases: 1 covers fetched, 0 not found, 0 skipped (not found earlier), ' +
        '1 skipped (removed by a user), 0 failed\n',
    );
    expect(JSON.parse(await fetch('--json'))).toMatchObject({ releases: 1, removed: 1, stored: 0 });
    expect(source.requests.length).toBe(1);
    const report = JSON.parse(await fetch('--json', '--removed'));
    expect(report).toMatchObject({ releases: 1, removed: 0, stored: 1 });
  });

  test('remembers a removal for every source, for a year, until there is a cover', async () => {
    const source = await useSource(coversOf('Game 1'));
    const fixture = await useCatalog(['Game 1']);
    const { covers } = fixture.catalog;
    const [one, other] = [
      await useCoverSearch(fixture, source.base),
      await useCoverSearch(fixture, `${source.base}/other`),
    ];
    await one.coverSearch.search(1, search);
    await covers.remove(1, actor);
    one.wait(year);
    for (const { coverSearch } of [one, other]) {
      expect(await coverSearch.search(1, search)).toEqual({ outcome: 'removed' });
      await expect(coverSearch.openOrFetch(1)).rejects.toThrow('no cover available');
    }
    await fixture.upload('Game 1', png('mine'));
    // The folder determines whether a cover exists. A file that a user deletes is therefore only
    // missing.
    await rm(join(fixture.data, 'covers', '1.png'));
    expect(await one.coverSearch.search(1, search)).toEqual({ outcome: 'stored' });
  });

  test('does not store a fetched cover when the existing one is removed meanwhile', async () => {
    const source = await useSource();
    const fixture = await useCatalog(['Game 1'], { base: source.base });
    const { covers, coverSearch } = fixture.catalog;
    const fromDisc = await covers.stage(chunks(png('disc')));
    await covers.put(1, fromDisc, actor, { kind: 'disc', from: 'x.iso' });
    const removed = Promise.withResolvers<void>();
    source.respond = (_request, response) => void removed.promise.then(() => response.end(png()));
    const searched = coverSearch.search(1, search);
    await expect.poll(() => source.requests.length).toBe(1);
    await covers.remove(1, actor);
    removed.resolve();
    expect(await searched).toEqual({ outcome: 'removed' });
    expect(await fixture.cover('Game 1')).toBeNull();
  });

  const notStored = 'remembers the removal of a cover if a new one cannot be stored';
  test(notStored, async () => {
    const source = await useSource(coversOf('Game 1'));
    const fixture = await useCatalog(['Game 1']);
    const { covers } = fixture.catalog;
    const { coverSearch } = await useCoverSearch(fixture, source.base);
    await fixture.upload('Game 1', png('mine'));
    await covers.remove(1, actor);

    const lost = await covers.stage(chunks(png('lost')));
    for (const name of await readdir(join(fixture.data, 'tmp'))) {
      await rm(join(fixture.data, 'tmp', name));
    }
    await expect(covers.put(1, lost, actor)).rejects.toThrow('ENOENT');
    expect(await coverSearch.search(1, search)).toEqual({ outcome: 'removed' });
    expect(await fixture.cover('Game 1')).toBeNull();
    expect(source.requests).toEqual([]);
  });

  test(`${notStored}, while the database is locked`, { tags: ['full'] }, async () => {
    const source = await useSource(coversOf('Game 1'));
    const fixture = await useCatalog(['Game 1']);
    const { coverSearch } = await useCoverSearch(fixture, source.base);
    await fixture.upload('Game 1', png('mine'));
    await fixture.catalog.covers.remove(1, actor);

    // Do not wait for the lock synchronously, because a running write needs this thread to finish.
    const lock = new Database(join(fixture.data, 'catalog.db'), { timeout: 0 });
    const begin = async () => lock.exec('BEGIN IMMEDIATE').inTransaction;
    await expect.poll(() => begin().catch(() => false)).toBe(true);
    await expect(fixture.upload('Game 1', png('late'))).rejects.toThrow('busy');
    lock.exec('ROLLBACK');
    lock.close();
    expect(await coverSearch.search(1, search)).toEqual({ outcome: 'removed' });
    expect(await fixture.cover('Game 1')).toBeNull();
    expect(source.requests).toEqual([]);
  });

  test('does not store a fetched cover right after the existing one is removed', async () => {
    const fixture = await useCatalog(['Game 1']);
    const { covers } = fixture.catalog;
    const put = async (kind: 'disc' | 'source', options = {}) =>
      covers.put(1, await covers.stage(chunks(png(kind))), actor, { kind, from: 'x' }, options);
    expect(await put('disc')).toBe('stored');
    await Promise.all([covers.remove(1, actor), put('source'), put('source')]);
    expect(await fixture.cover('Game 1')).toBeNull();
    expect(await put('source')).toBe('removed');
    expect(await put('source', { evenIfRemoved: true })).toBe('stored');
    expect(await covers.wasRemoved(1)).toBe(false);
  });

  test('remembers no removal when there was no cover', { tags: ['full'] }, async () => {
    const source = await useSource(coversOf('Game 1'));
    const fixture = await useCatalog(['Game 1']);
    await fixture.catalog.covers.remove(1, actor);
    const { coverSearch } = await useCoverSearch(fixture, source.base);
    expect(await coverSearch.search(1, search)).toEqual({ outcome: 'stored' });
  });

  test.skipIf(skipReason)(
    `does not extract a removed cover from its disc again ${skipReason ?? ''}`,
    { tags: ['full'] },
    async () => {
      const roots = await useFolder();
      await writeFile(join(roots, 'a.iso'), pspIso({ icon: png('icon') }));
      const sandbox = await useSandbox();
      const env = { CATALOG_GAMES_ROOT: roots };
      const fixture = await useCatalog([], { data: sandbox.data });
      const disc = { name: 'With Icon', serial: 'ULUS-10041' };
      await importGames(fixture, [disc], 'Sony - PlayStation Portable');
      const scan = async () =>
        JSON.parse(
          (await sandbox.run(['scan', '--no-hash', '--covers', '--json'], { env })).stdout,
        );
      expect((await scan()).covers).toMatchObject({ stored: 1, removed: 0 });
      await fixture.catalog.covers.remove(1, actor);
      expect((await scan()).covers).toMatchObject({ images: 0, stored: 0, removed: 1 });
      const { stdout } = await sandbox.run(['covers', 'extract'], { env });
      expect(stdout).toBe(
        '0 images: 0 covers extracted, 0 without a picture, ' +
          '1 skipped (removed by a user), 0 unreadable\n',
      );
      expect(await fixture.cover('With Icon')).toBeNull();
    },
  );
});
