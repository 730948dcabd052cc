import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importGames } from '../support/data/dats.ts';
import { makeIso, paramSfo, pspIso } from '../support/images/disc-images.ts';
import { useSandbox } from '../support/process.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { png, useCatalog } from './covers-fixture.ts';

const skipReason = toolsSkipReason('xorriso');

const discs = [
  { name: 'With Icon', serial: 'ULUS-10041' },
  { name: 'With Cover', serial: 'ULUS-10042' },
  { name: 'Without Picture', serial: 'ULUS-10043' },
];

function plainIso(id: string, files: Record<string, Buffer> = {}): Buffer {
  return makeIso(
    {
      'UMD_DATA.BIN': `${id.replace(/^(....)/, '$1-')}|0123456789ABCDEF|0001|G               |`,
      'PSP_GAME/PARAM.SFO': paramSfo({ DISC_ID: id, TITLE: id, CATEGORY: 'UG' }),
      ...files,
    },
    { sysid: 'PSP GAME' },
  );
}

/**
 * Opens a sandbox with a library. The library has three images and a file that is not an image. The
 * release of one image has a cover.
 */
async function useLibrary() {
  const sandbox = await useSandbox();
  const roots = join(sandbox.folder, 'games');
  await mkdir(roots);
  await writeFile(join(roots, 'a.iso'), pspIso({ icon: png('icon') }));
  const pictures = { 'PSP_GAME/PIC0.PNG': png('from the disc') };
  await writeFile(join(roots, 'b.iso'), plainIso('ULUS10042', pictures));
  await writeFile(join(roots, 'c.iso'), plainIso('ULUS10043'));
  await writeFile(join(roots, 'd.bin'), 'noise');
  const fixture = await useCatalog([], { data: sandbox.data });
  await importGames(fixture, discs, 'Sony - PlayStation Portable');
  await fixture.upload('With Cover', png('uploaded'));
  await fixture.close();
  return { sandbox, env: { CATALOG_GAMES_ROOT: roots } };
}

describe('catalog covers extract', () => {
  test.skipIf(skipReason)(
    `extracts the covers of releases without one ${skipReason ?? ''}`,
    async () => {
      const { sandbox, env } = await useLibrary();
      expect((await sandbox.run(['scan', '--no-hash'], { env })).code).toBe(0);
      const { stdout } = await sandbox.run(['covers', 'extract'], { env });
      expect(stdout).toBe('2 images: 1 covers extracted, 1 without a picture, 0 unreadable\n');
      const again = await sandbox.run(['covers', 'extract', '--json'], { env });
      const nothingNew = { images: 1, stored: 0, without: 1, removed: 0, unreadable: [] };
      expect(JSON.parse(again.stdout)).toEqual(nothingNew);

      const fixture = await useCatalog([], { data: sandbox.data });
      expect(await fixture.cover('With Icon')).toBe(png('icon').toString());
      expect(await fixture.cover('With Cover')).toBe(png('uploaded').toString());
      expect(await fixture.cover('Without Picture')).toBeNull();
      expect(await fixture.catalog.covers.originOf(await fixture.idOf('With Icon'))).toBe('disc');
    },
  );

  test.skipIf(skipReason)(
    `extracts covers during a scan ${skipReason ?? ''}`,
    { tags: ['full'] },
    async () => {
      const { sandbox, env } = await useLibrary();
      const { stdout } = await sandbox.run(['scan', '--no-hash', '--covers', '--json'], { env });
      const report = JSON.parse(stdout);
      expect(report.files).toBe(4);
      expect(report.covers).toEqual({
        images: 2,
        stored: 1,
        without: 1,
        removed: 0,
        unreadable: [],
      });
    },
  );

  test.skipIf(skipReason)(
    `continues after a disc image that was removed, and reports it ${skipReason ?? ''}`,
    { tags: ['full'] },
    async () => {
      const { sandbox, env } = await useLibrary();
      await sandbox.run(['scan', '--no-hash'], { env });
      const path = join(env.CATALOG_GAMES_ROOT, 'a.iso');
      await rm(path);
      const { stdout, code } = await sandbox.run(['covers', 'extract', '--json'], { env });
      expect(code).toBe(0);
      const unreadable = [{ path, reason: expect.stringContaining('ENOENT') }];
      expect(JSON.parse(stdout)).toEqual({
        images: 2,
        stored: 0,
        without: 1,
        removed: 0,
        unreadable,
      });
    },
  );
});
