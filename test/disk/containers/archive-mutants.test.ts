import { beforeAll, describe, expect, test } from 'vitest';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { archiveKinds } from '../../support/images/archives.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../../support/images/mutants.ts';
import { testSomeAndMany } from '../../support/some-and-many.ts';
import { toolsSkipReason } from '../../support/tools.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const random = createRandom(20);
const damaged = new DamagedFiles(folder);
const content = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i) >> 7));
const files = { 'a.bin': content, 'b.txt': Buffer.from('some text. '.repeat(50)) };

/**
 * Identifies and hashes a file. Returns null if the file is refused. Any other error fails the
 * test.
 */
async function hash(path: string) {
  return hashImage(path, await identifyFile(path)).catch((error: Error) => {
    if (error.name === 'CatalogError') return null;
    throw error;
  });
}

/** The kinds of archive whose bytes are changed: at least one for each reader. */
const changed = [
  '7z, solid',
  '7z, stored, its header not packed',
  'RAR 4',
  'RAR 5',
  'zip, LZMA',
  'tar',
  'tar.gz',
  'gz',
  'xz',
  'zst',
];

describe.each(archiveKinds.filter(({ label }) => changed.includes(label)))(
  'a damaged archive: $label',
  ({ tools, container, directoryContent, make }) => {
    const skipReason = toolsSkipReason(...tools);
    let whole = Buffer.alloc(0) as Buffer;
    beforeAll(() => {
      if (skipReason === null) whole = make(files, folder.path);
    });

    describe.skipIf(skipReason !== null)(`with bytes changed anywhere ${skipReason ?? ''}`, () => {
      testMutants('is read or refused, $count times', async (times) => {
        const change = (bytes: Buffer) => mutate(bytes, random, 40);
        await damaged.each({ whole, change, name: 'case', times });
      });
    });

    // a tar has no checksums for the content of its files
    const hasSums = container !== 'tar' && directoryContent !== 'nothing';
    const title = `with one bit changed ${skipReason ?? ''}`;
    describe.skipIf(skipReason !== null || !hasSums)(title, () => {
      const name = 'is refused or has the same hashes, $count times';
      testSomeAndMany(name, { some: 8, many: 40 }, async (count) => {
        const right = await hash(folder.write(whole, 'case'));
        expect(right).not.toBeNull();
        let refusals = 0;
        for (let i = 0; i < count; i += 1) {
          const changed = Buffer.from(whole);
          const at = Math.floor((whole.length * i) / count);
          changed[at] = (changed[at] as number) ^ (1 << random(8));
          const path = folder.write(changed, 'case');
          if ((await identifyFile(path)).container !== container) continue;
          const hashes = await hash(path);
          if (hashes === null) refusals += 1;
          else expect(hashes.sha1, `${at}`).toBe(right?.sha1);
        }
        expect(refusals).toBeGreaterThan(count * 0.6);
      });
    });
  },
);

describe('the scan of damaged archives', () => {
  test('reports a sample of the files that the readers reported or refused as damaged', () =>
    damaged.expectReported());
});
