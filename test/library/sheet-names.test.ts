import { describe, expect, test } from 'vitest';
import type { IdentifiedFile } from '../../src/core/library/library-file.ts';
import type { Candidate, CandidateRom } from '../../src/core/library/match/candidate.ts';
import { canonicalSheet } from '../../src/core/library/match/canonical-name.ts';
import { lookupKeysOf } from '../../src/core/library/match/lookup-keys.ts';
import { narrow } from '../../src/core/library/match/narrow.ts';
import { Reasons } from '../../src/core/library/match/reasons.ts';
import { Slices } from '../../src/core/shared/concurrency/slices.ts';
import { newDraft } from '../../src/disk/draft.ts';

const rom = (name: string, size: number): CandidateRom => {
  return { name, size, crc32: '', md5: '', sha1: '' };
};
const candidate = (releaseId: number, roms: readonly CandidateRom[]): Candidate => {
  return { releaseId, names: [], region: '', platformKey: '', serials: [], roms };
};
const lookUpOfFile = (name: string) => {
  const file: Pick<IdentifiedFile, 'name' | 'identity' | 'hashes'> = {
    name,
    identity: newDraft(),
    hashes: null,
  };
  return lookupKeysOf(file as IdentifiedFile);
};

describe('the canonical name of a sheet', () => {
  const release = candidate(1, [rom('Game.cue', 100), rom('Game (Track 1).bin', 2352)]);
  const of = (name: string) => canonicalSheet(release, 'serial', lookUpOfFile(name), new Slices());

  test('is that of the only ROM with its extension', async () => {
    expect(await of('other.CUE')).toBe('Game.cue');
  });

  test('is unknown if the sheet has no extension', async () => {
    expect(await of('sheet in')).toBeNull();
    expect(await of('cue')).toBeNull();
  });
});

describe('the choice between tied releases', () => {
  test.each(['Game.cue', 'Game.toc', 'Game.m3u'])(
    'ignores the sheet %s when it compares tracks',
    async (sheet) => {
      const tracks = [rom('Game (Track 1).bin', 10), rom('Game (Track 2).bin', 20)];
      const longer = candidate(1, [...tracks, rom('Game (Track 3).bin', 30)]);
      const same = candidate(2, [rom(sheet, 5), ...tracks]);
      const left = await narrow([longer, same], lookUpOfFile('x.iso'), newDraft(), {
        tracks: [10, 20].map((size) => ({ size, hashes: null })),
        slices: new Slices(),
        reasons: new Reasons(),
      });
      expect(left).toEqual([same]);
    },
  );
});
