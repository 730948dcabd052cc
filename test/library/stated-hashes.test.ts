import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeChd } from '../support/images/chd.ts';
import { makeIso } from '../support/images/disc-images.ts';
import { makeRaw } from '../support/images/packed-images.ts';
import { runTool, toolsSkipReason } from '../support/tools.ts';
import { pspDisc } from './discs.ts';
import { romOf, useLibrary } from './library-fixture.ts';

const chdmanSkipReason = toolsSkipReason('xorriso', 'chdman');
const xorrisoSkipReason = toolsSkipReason('xorriso');
/** The layout of a CHD that can be made without a tool. */
const form = {
  codecs: ['zlib'],
  hunkBytes: 2048,
  unitBytes: 2048,
  pack: () => 'stored' as const,
};

describe('the scan of CHDs with a stated hash', () => {
  test.skipIf(chdmanSkipReason !== null)(
    `does not hash a CHD that is matched by its stated hash ${chdmanSkipReason ?? ''}`,
    async () => {
      const library = await useLibrary();
      const iso = pspDisc('ULES-01413');
      const path = await library.write('x.iso', iso);
      const chd = join(library.games.path, 'x.chd');
      runTool('chdman', ['createraw', '-i', path, '-o', chd, '-hs', '2048', '-us', '2048']);
      await library.take([{ name: 'Dumped', roms: [romOf(iso, 'Dumped.iso')] }]);
      const expected = { release: 'Dumped', method: 'sha1', canonical: 'Dumped.iso' };
      await library.scan();
      expect(await library.matchOf('x.chd')).toEqual(expected);
      library.forgetCalls();
      expect((await library.scan({ hash: true })).hashed).toBe(1);
      expect(library.hashed).toEqual(['games/x.iso']);
      expect(await library.matchOf('x.chd')).toEqual(expected);
      expect((await library.scan({ hash: true, full: true })).hashed).toBe(2);
      expect(await library.matchOf('x.chd')).toEqual(expected);
    },
  );

  test.skipIf(xorrisoSkipReason !== null)(
    `trusts the stated hash of a CHD until it is verified ${xorrisoSkipReason ?? ''}`,
    async () => {
      const library = await useLibrary();
      const [iso, other] = [pspDisc('ULES-01413'), Buffer.from('of another game')];
      const chd = makeChd(iso, form);
      Buffer.from(romOf(other, '').sha1, 'hex').copy(chd, 64);
      await library.write('honest.chd', makeChd(iso, form));
      await library.write('lying.chd', chd);
      await library.take([
        { name: 'Claimed', roms: [romOf(other, 'Claimed.iso')] },
        { name: 'Dumped', roms: [romOf(iso, 'Dumped.iso')] },
      ]);
      await library.scan({ hash: true });
      expect(library.hashed).toEqual([]);
      expect(await library.matchOf('lying.chd')).toMatchObject({ release: 'Claimed' });

      const report = await library.scan({ hash: true, verify: true });
      expect(report).toMatchObject({
        hashed: 2,
        damaged: [
          {
            path: join(library.games.path, 'lying.chd'),
            reason: 'its content has another SHA-1 than its header states',
          },
        ],
      });
      for (const name of ['lying.chd', 'honest.chd']) {
        expect(await library.matchOf(name)).toMatchObject({ release: 'Dumped', method: 'sha1' });
      }
      expect((await library.scan({ hash: true, verify: true })).hashed).toBe(0);
    },
  );
});

describe('the matching by stated hash', () => {
  test.skipIf(chdmanSkipReason !== null)(
    `checks the stated hashes of a CD in a CHD only with --verify ${chdmanSkipReason ?? ''}`,
    async () => {
      const library = await useLibrary();
      const [index, sound] = ['    INDEX 01 00:00:00', Buffer.alloc(2352 * 300, 'sound')];
      await library.write('data.bin', makeRaw(makeIso({ 'A.BIN': 'a' }), 1));
      await library.write('sound.bin', sound);
      const sheet = `FILE data.bin BINARY\n  TRACK 01 MODE1/2352\n${index}\nFILE sound.bin BINARY\n  TRACK 02 AUDIO\n${index}\n`;
      const chd = join(library.games.path, 'x.chd');
      const cue = await library.write('x.cue', sheet);
      runTool('chdman', ['createcd', '-i', cue, '-o', chd]);
      const whole = readFileSync(chd);
      const claimed = (at: number) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] as number) ^ 1;
        return bytes;
      };
      await library.write('content.chd', claimed(64));
      await library.write('metadata.chd', claimed(84));
      const stated = [whole, claimed(84)].map((bytes) => bytes.toString('hex', 84, 104));
      await library.take(
        stated.map((sha1, i) => ({ name: `Disk ${i}`, roms: [{ name: `d${i}.chd`, sha1 }] })),
      );
      await library.scan();
      const path = (name: string) => join(library.games.path, name);
      for (const name of ['x.chd', 'content.chd', 'metadata.chd']) {
        expect(await library.matchOf(name)).toMatchObject({ method: 'sha1' });
      }
      await library.scan({ hash: true });
      expect(library.hashed).toEqual(expect.not.arrayContaining(['games/x.chd']));
      const { damaged } = await library.scan({ hash: true, verify: true });
      expect(damaged.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        {
          path: path('content.chd'),
          reason: 'its content has another SHA-1 than its header states',
        },
        {
          path: path('metadata.chd'),
          reason: 'its metadata is not that of which its header states the SHA-1',
        },
      ]);
      expect(await library.matchOf('x.chd')).toMatchObject({ release: 'Disk 0', method: 'sha1' });
      expect(await library.matchOf('content.chd')).toBeNull();
      expect(await library.matchOf('metadata.chd')).toBeNull();
      expect((await library.scan({ hash: true, verify: true })).hashed).toBe(0);
    },
  );

  test.skipIf(xorrisoSkipReason !== null)(
    `rejects the stated hash of a game whose serial is not that of the disc ${xorrisoSkipReason ?? ''}`,
    async () => {
      const library = await useLibrary();
      const iso = pspDisc('ULES-01413');
      const chd = makeChd(iso, form);
      const claimed = romOf('of another game', 'Claimed.iso');
      Buffer.from(claimed.sha1, 'hex').copy(chd, 64);
      await library.write('lying.chd', chd);
      // make it only once, because xorriso writes the time into the image
      const disc = pspDisc('ULES-00099');
      await library.write('honest.chd', makeChd(disc, form));
      const psp = 'Sony - PlayStation Portable';
      await library.take([{ name: 'Claimed', serial: 'ULES-01414', roms: [claimed] }], psp);
      const honest = romOf(disc, 'Honest.iso');
      await library.take([{ name: 'Honest', serial: 'ULES-00199', roms: [honest] }], psp, 'other');
      await library.scan();
      expect(await library.matchOf('lying.chd')).toBeNull();
      expect(await library.matchOf('honest.chd')).toBeNull();

      const { damaged } = await library.scan({ hash: true });
      expect(damaged).toHaveLength(1);
      expect(await library.matchOf('lying.chd')).toBeNull();
      // a DAT may list a different or wrong serial, so the content decides
      expect(await library.matchOf('honest.chd')).toMatchObject({
        release: 'Honest',
        method: 'sha1',
      });
    },
  );
});
