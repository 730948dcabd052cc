import { describe, expect, test } from 'vitest';
import { createRandom, DamagedFiles, mutate, testMutants } from '../support/images/mutants.ts';
import { blurayId } from '../support/images/other-discs.ts';
import { makeUdf } from '../support/images/udf-images.ts';
import { runTool, toolsSkipReason } from '../support/tools.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const files = {
  'BDMV/index.bdmv': Buffer.from('INDX0200'),
  'CERTIFICATE/id.bdmv': blurayId(0xab),
  'a.txt': Buffer.alloc(5000, 'x'),
};
const found = { disc: null, container: 'iso', serial: null, problem: null, title: 'A FILM' };
const forms = {
  'a metadata partition': [16],
  'a metadata partition in several parts': [16, 24, 32, 40],
  'one partition of fixed places': [],
};
const skipReason = toolsSkipReason('7z');

describe('the UDF reader', () => {
  test.each(Object.entries(forms))(
    'reads the ID of a Blu-ray without ISO 9660, in %s',
    async (_, metadata) => {
      const identity = await folder.identify(makeUdf(files, { metadata }));
      expect(identity).toMatchObject(found);
      expect(identity.evidence).toMatchObject({
        'volume id': 'A FILM',
        'disc content': 'Blu-ray',
        'Blu-ray disc id': 'ab'.repeat(16),
      });
    },
  );

  test.skipIf(skipReason !== null)(
    `is tested with images whose files 7-Zip lists, too ${skipReason ?? ''}`,
    () => {
      for (const metadata of [forms['a metadata partition'], []]) {
        const path = folder.write(makeUdf(files, { metadata }));
        const listed = runTool('7z', ['l', '-slt', '-tudf', path]).toString();
        for (const name of Object.keys(files)) expect(listed).toContain(`Path = ${name}\n`);
      }
    },
  );

  test('recognises a DVD-Video without ISO 9660', async () => {
    const ifo = Buffer.alloc(0x800);
    ifo.write('DVDVIDEO-VMG', 0, 'latin1');
    const image = makeUdf({ 'VIDEO_TS/VIDEO_TS.IFO': ifo }, { metadata: [] });
    const { evidence } = await folder.identify(image);
    expect(evidence['disc content']).toBe('DVD-Video');
  });

  test('reads a volume name in two-byte characters', async () => {
    const wide = makeUdf({}, { volid: '映画' });
    expect(await folder.identify(wide)).toMatchObject({ ...found, title: '映画' });
  });

  test('rejects an anchor with a wrong checksum or of another sector', async () => {
    for (const at of [256 * 2048 + 4, 256 * 2048 + 12]) {
      const other = makeUdf(files);
      other[at] = (other[at] as number) ^ 1;
      expect(await folder.identify(other)).toMatchObject({ container: 'unknown', title: null });
    }
  });

  test('reports a file beyond the end of the image as damage', async () => {
    const cut = makeUdf(files).subarray(0, (272 + 97) * 2048);
    expect((await folder.identify(cut)).problem).toMatch('cut or points behind its end');
  });

  /**
   * Numbers of the sectors that follow a descriptor, in an image with one metadata partition. Later
   * descriptors do not describe files.
   */
  const ends = [34, 35, 257, 273, ...Array.from({ length: 7 }, (_, i) => 289 + i)];

  testMutants('reads $count damaged images or reports a problem', async (times) => {
    const random = createRandom(41);
    const change = (image: Buffer) => {
      const changed = Buffer.from(image);
      for (let i = random(3); i >= 0; i -= 1) {
        const sector = (ends[random(ends.length)] as number) - 1;
        changed[sector * 2048 + random(500)] = random(256);
        // without a correct tag checksum, the reader would reject most changes
        const tag = changed.subarray(sector * 2048, sector * 2048 + 16);
        if (random(4) > 0) tag[4] = tag.reduce((sum, byte, at) => (at === 4 ? sum : sum + byte), 0);
      }
      return random(4) === 0 ? mutate(changed, random, 20) : changed;
    };
    const damaged = new DamagedFiles(folder);
    for (const metadata of [[16], []])
      await damaged.each({ whole: makeUdf(files, { metadata }), change, times });
  });
});
