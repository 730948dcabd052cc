import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { Releases } from '../../../src/core/releases/releases.ts';
import { readPreference } from '../../../src/core/sets/preference.ts';
import type { ReleaseRule } from '../../../src/core/shared/release-rule.ts';
import { withClient } from '../../../src/core/shared/requests/client-context.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import { describeEngines, type engines } from '../fixtures/engines.ts';
import { steppingClock } from '../fixtures/use-engine.ts';
import { everything } from '../fixtures/use-releases.ts';
import { setOf, useSetReleases } from './set-catalogue.ts';

const games = 60;
const candidatesPerRead = 3;

/** Returns a plugin that calls `onRead` before each read with the number of reads so far. */
function counting(onRead: (reads: number) => void): KyselyPlugin {
  let reads = 0;
  return {
    transformQuery({ node }) {
      reads += 1;
      onRead(reads);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

/** Opens games whose choice takes many reads. Calls `onRead` before each of these reads. */
async function useGames(
  open: (typeof engines)[number]['open'],
  onRead: (reads: number) => void = () => {},
) {
  const { engine, ids } = await useSetReleases(
    open,
    Array.from({ length: games }, (_, i) => ({ name: `Game ${i} (Europe)`, platform: 'PSP' })),
  );
  const { read } = engine;
  const longRead = engine.longRead.withStaging(counting(onRead));
  // The other parts of the engine come from the prototype.
  const watched: Engine = Object.assign(Object.create(engine), { read, longRead });
  const records = new SqlReleaseRecords({
    engine: watched,
    clock: steppingClock(),
    candidatesPerRead,
  });
  let coverReads = 0;
  // As while covers are stored: each read returns another set object.
  const releasesWithCover = async () => {
    coverReads += 1;
    return new Set(coverReads % 2 === 0 ? ids : ids.toReversed());
  };
  const releases = new Releases(records, { releasesWithCover });
  const setBy = (region: string, rule: ReleaseRule = { all: [] }) => ({
    ...everything,
    set: setOf(rule, readPreference({ regions: [region] })),
  });
  const count = (network: string, signal: AbortSignal, region = 'Europe') =>
    withClient({ network, signal }, () => releases.count(setBy(region)));
  return { count, releases, setBy, coverReads: () => coverReads };
}

const forever = () => new AbortController().signal;
/** More reads than a choice needs to begin, and fewer than half of a choice. */
const someReads = 6;

describeEngines('$name: a choice of editions', ({ open }) => {
  test('stops between its reads when its only client has disconnected', async () => {
    const leaving = new AbortController();
    let reads = 0;
    const { count } = await useGames(open, (now) => {
      reads = now;
      if (now === someReads) leaving.abort();
    });
    await expect(count('a', leaving.signal)).rejects.toThrow('busy');
    expect(await count('b', forever())).toBe(games);
    // A whole choice takes at least these reads, and the abandoned one only a few more.
    expect(reads).toBeGreaterThanOrEqual(games / candidatesPerRead);
    const readsUntilThen = reads;
    expect(await count('b', forever(), 'World')).toBe(games);
    expect(readsUntilThen).toBeLessThan(reads - readsUntilThen + 2 * someReads);
  });

  test.each(['facets', 'initials'] as const)(
    'fails for %s of a client that disconnects, and is then made again',
    async (method) => {
      const leaving = new AbortController();
      let reads = 0;
      const { count, releases, setBy } = await useGames(open, (now) => {
        reads = now;
        if (now === someReads) leaving.abort();
      });
      const client = { network: 'a', signal: leaving.signal };
      const left = withClient(client, async () => await releases[method](setBy('Europe')));
      await expect(left).rejects.toThrow('busy');
      expect(await count('a', forever())).toBe(games);
      const readsUntilThen = reads;
      expect(await count('a', forever(), 'World')).toBe(games);
      expect(readsUntilThen, 'a choice was kept').toBeGreaterThan(reads - readsUntilThen);
    },
  );

  test('is cached while the covers are the same, and reads them once per request', async () => {
    let reads = 0;
    const { releases, setBy, coverReads } = await useGames(open, (now) => {
      reads = now;
    });
    const filter = setBy('Europe', { field: 'cover', is: 'have' });
    const page = { limit: 50, offset: 0 };
    const request = () =>
      withClient({ network: 'a', signal: forever() }, () =>
        Promise.all([releases.list({ ...filter, ...page }), releases.count(filter)]),
      );
    const [listed, counted] = await request();
    expect([listed.length, counted, coverReads()]).toEqual([50, games, 1]);
    const readsOfFirst = reads;
    await request();
    expect(coverReads()).toBe(2);
    expect(reads - readsOfFirst, 'the choice is kept').toBeLessThan(someReads);
    const readsUntilThen = reads;
    await releases.count(setBy('World', { field: 'cover', is: 'have' }));
    const readsOfOne = reads - readsUntilThen;
    expect(readsOfOne).toBeGreaterThanOrEqual(games / candidatesPerRead);
    expect(readsOfFirst, 'list and count share one choice').toBeLessThan(
      readsOfOne + 2 * someReads,
    );
  });

  test('continues for a second client when the first one disconnects', async () => {
    const leaving = new AbortController();
    let reads = 0;
    const { count } = await useGames(open, (now) => {
      reads = now;
      if (now === someReads) leaving.abort();
    });
    const first = count('a', leaving.signal);
    const second = count('a', forever());
    await expect(first).rejects.toThrow('busy');
    expect(await second).toBe(games);
    const readsOfOne = reads;
    expect(await count('a', forever())).toBe(games);
    expect(reads, 'the choice is kept').toBe(readsOfOne);
    expect(await count('a', forever(), 'World')).toBe(games);
    expect(readsOfOne, 'both shared one choice').toBeLessThan(reads - readsOfOne + someReads);
  });

  test('is made again for a client that arrives after the only one has disconnected', async () => {
    const leaving = new AbortController();
    const { count } = await useGames(open, (now) => {
      if (now === someReads) leaving.abort();
    });
    const abandoned = count('a', leaving.signal);
    await expect(abandoned).rejects.toThrow('busy');
    expect(await count('a', forever())).toBe(games);
  });
});
