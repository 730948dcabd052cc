import { describe, expect, test } from 'vitest';
import type { KnownFile, ScannedFile } from '../../../src/core/library/library-file.ts';
import type { CandidateRom, Evidence } from '../../../src/core/library/match/candidate.ts';
import { lookUpFiles } from '../../../src/core/library/match/looked-up-files.ts';
import { matchFiles } from '../../../src/core/library/match/match-files.ts';
import { compareRoots } from '../../../src/core/library/scan/compare-roots.ts';
import { matchSet } from '../../../src/core/library/sets/match-set.ts';
import { Slices } from '../../../src/core/shared/concurrency/slices.ts';
import { newDraft } from '../../../src/disk/draft.ts';

const many = 3_000;
/**
 * Maximum number of comparisons per item. Comparing each item with every other item would need
 * more.
 */
const maxComparisons = 100;
const none: Evidence = { sha1: [], md5: [], crc32: [], serial: [], name: [] };
const numbers = Array.from({ length: many }, (_, number) => number);
const crcOf = (number: number) => number.toString(16).padStart(8, '0');

function scanned(name: string, identity: Partial<ScannedFile['identity']> = {}): ScannedFile {
  return {
    path: `/games/${name}`,
    name,
    size: 1,
    mtimeNs: 1n,
    inode: 1n,
    identity: { ...newDraft(), ...identity },
    reader: '',
    hashes: null,
    releaseId: null,
    method: null,
    setKey: null,
  };
}

/** Runs `work`. Returns its result, and the number of turns of the event loop during the work. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let isOver = false;
  const next = () => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const result = await work();
  isOver = true;
  return { result, turns };
}

describe('a scan', () => {
  test('matches an archive with a release per member without comparing all pairs', async () => {
    let comparisons = 0;
    const romOf = (number: number): CandidateRom => ({
      name: `${number}`,
      size: 1 + number,
      get crc32() {
        comparisons += 1;
        return crcOf(number);
      },
      md5: '',
      sha1: '',
    });
    const release = { names: [], region: '', platformKey: '', serials: [] };
    const crc32 = numbers.map((number) => ({
      ...release,
      releaseId: number,
      roms: [romOf(number)],
    }));
    const members = numbers.map((number) => {
      return { name: `${number}.bin`, size: 1 + number, crc32: crcOf(number), hashes: null };
    });
    const find = async () => [{ ...none, crc32 }];
    const [scan] = await matchFiles({ find }, [scanned('all.zip', { container: 'zip', members })]);
    expect(scan).toMatchObject({ match: null, tied: numbers });
    expect(comparisons).toBeLessThan(maxComparisons * many);

    // In the second case, one release contains all members. The zip begins with as many other
    // members, which match no release.
    comparisons = 0;
    const others = numbers.map((number) => ({
      name: `x${number}`,
      size: 2 * many,
      crc32: crcOf(many + number),
      hashes: null,
    }));
    const all = { ...release, releaseId: 7, roms: numbers.map(romOf) };
    const findAll = async () => [{ ...none, crc32: [all] }];
    const zip = scanned('all.zip', { container: 'zip', members: [...others, ...members] });
    const [one] = await matchFiles({ find: findAll }, [zip]);
    expect(one).toMatchObject({ match: { releaseId: 7, method: 'crc32', canonical: '0' } });
    expect(comparisons).toBeLessThan(maxComparisons * many);
  });

  test('finds many renamed files of one size and time without comparing all pairs', async () => {
    let comparisons = 0;
    const known = numbers.map((id): KnownFile => {
      return {
        id,
        get path() {
          comparisons += 1;
          return `/games/before/${id}`;
        },
        size: 1,
        mtimeNs: 1n,
      };
    });
    const changed = numbers.toReversed().map((number) => ({
      ...scanned(`after ${number}`),
      inode: BigInt(many - number),
    }));
    const root = { path: '/games', system: 'games' as const };
    const nothing = {
      problem: null,
      foundCount: 0,
      knownCount: 0,
      collectedFound: [],
      collectedKnown: [],
    };
    const unreadable = numbers.map((number) => ({ path: `/games/closed ${number}`, reason: '' }));
    const walked = [{ root, ...nothing, changed, replaced: [], missing: known, unreadable }];
    const inodesOf = async (ids: readonly number[]) => {
      return new Map(ids.map((id) => [id, BigInt(many - id)]));
    };
    const { moved, gone } = await compareRoots(walked, { known: { inodesOf }, full: false });
    const pairs = numbers.toReversed().map((id) => [id, `after ${id}`]);
    expect(moved.map(({ id, to }) => [id, to.name])).toEqual(pairs);
    expect(gone).toEqual([]);
    expect(comparisons).toBeLessThan(maxComparisons * many);
  });

  test('matches a set of very many sheets without blocking the event loop', async () => {
    const named = Array.from({ length: 99 }, (_, track) => `track ${track}.bin`);
    const sheet = named.map((name) => ({ name, tracks: [] }));
    const sheets = numbers.slice(0, 1_000).map((number) => {
      return scanned(`${number}.cue`, { container: 'cue', sheet });
    });
    const files = [...sheets, ...named.map((name) => scanned(name))];
    const lookups = await lookUpFiles({ find: async (all) => all.map(() => none) }, files);
    const { result, turns } = await turnsDuring(() => matchSet(lookups));
    expect(result.size).toBe(files.length);
    expect(turns).toBeGreaterThan(3);
  });

  test('matches a disc with many large releases without blocking the event loop', async () => {
    const releases = numbers.slice(0, 20).map((releaseId) => ({
      ...{ releaseId, names: [], region: '', platformKey: '', serials: [] },
      roms: [...numbers, many].map((number) => ({
        ...{ name: `${number}`, size: number, md5: '', sha1: '' },
        crc32: number === many ? 'shared' : `${releaseId} ${number}`,
      })),
    }));
    const find = async (all: readonly unknown[]) => all.map(() => ({ ...none, crc32: releases }));
    const images = numbers
      .slice(0, 99)
      .map((number) => ({ name: `${number}`, size: many + number }));
    const hashesOf = ({ name, size }: { name: string; size: number }) => {
      return {
        size,
        crc32: size === many ? 'shared' : 'none',
        md5: `m ${name}`,
        sha1: `s ${name}`,
      };
    };
    const members = images.map((image) => ({ ...image, crc32: null, hashes: hashesOf(image) }));
    const tracks = images.map((image, at) => {
      return { number: 1 + at, isAudio: false, size: image.size, hashes: hashesOf(image) };
    });
    const sheet = images.map(({ name }) => ({ name, tracks: [] }));
    const files = images.map((image) => ({ ...scanned(image.name), hashes: hashesOf(image) }));
    const set = [scanned('disc.cue', { container: 'cue', sheet }), ...files];
    const lookups = await lookUpFiles({ find }, set);
    const works = [
      () => matchFiles({ find }, [scanned('disc.zip', { container: 'zip', members })]),
      () => matchFiles({ find }, [scanned('disc.chd', { container: 'chd', tracks })]),
      () => matchSet(lookups),
    ];
    for (const work of works) expect((await turnsDuring<unknown>(work)).turns).toBeGreaterThan(3);
  });

  test('gives each slice of concurrent work a turn of the event loop of its own', async () => {
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const had: number[] = [];
    const work = async () => {
      const slices = new Slices();
      for (let slice = 0; slice < 3; slice += 1) {
        await slices.next();
        had.push(turn);
      }
    };
    await Promise.all(Array.from({ length: 5 }, work));
    isOver = true;
    expect(new Set(had).size).toBe(had.length);
    expect(had).toHaveLength(15);
  });
});
