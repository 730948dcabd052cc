import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { zipOf } from '../imports/support/zip-file.ts';
import { nintendoImage } from '../support/images/disc-images.ts';
import { makeRvz } from '../support/images/packed-images.ts';
import { openSandbox, type Sandbox } from '../support/process.ts';

const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
const probe = mkdtempSync(join(tmpdir(), 'catalog-disk-'));
const canMount = mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe);
if (canMount) spawnSync('umount', [probe]);
rmSync(probe, { recursive: true });
const why = canMount ? '' : ' (skipped: only root can mount a small disk)';

let sandbox: Sandbox;
let tmp: string;
let games: string;
beforeEach(async () => {
  if (!canMount) return;
  sandbox = await openSandbox();
  await sandbox.createDataFolder();
  tmp = join(sandbox.data, 'tmp');
  games = join(sandbox.folder, 'games');
  mkdirSync(games);
  mkdirSync(tmp, { recursive: true });
  const disc = Buffer.concat([nintendoImage('GW7E69', 'T', 'gamecube'), Buffer.alloc(4 << 20, 1)]);
  // The RVZ is read at random positions, so the scan unpacks it to a file.
  writeFileSync(join(games, 'a.zip'), zipOf([{ name: 'a.rvz', content: makeRvz(disc) }]));
  writeFileSync(join(games, 'b.iso'), 'b');
});
afterEach(async () => {
  if (!canMount) return;
  spawnSync('umount', [tmp]);
  await sandbox.close();
});

describe.skipIf(!canMount)(`an unusable disk for unpacked files${why}`, () => {
  for (const [what, options, reason, tags] of [
    ['is full', 'size=1m', 'ENOSPC: no space left on device', []],
    ['may not be written', 'size=16m,ro', 'EROFS: read-only file system', ['full']],
  ] as const) {
    test(`is reported, and not counted as damage of the file, if it ${what}`, {
      tags: [...tags],
      timeout: 120_000,
    }, async () => {
      expect(mount('-t', 'tmpfs', '-o', options, 'tmpfs', tmp)).toBe(true);
      const scan = () => sandbox.run(['scan', '--games-root', games, '--json']);
      // The second scan tries the file again, because the first scan records no failure.
      for (const hashed of [1, 0]) {
        const { code, stdout } = await scan();
        expect(code).toBe(1);
        expect(JSON.parse(stdout)).toMatchObject({
          hashed,
          unreadable: [],
          damaged: [],
          postponed: [
            {
              path: join(games, 'a.zip'),
              reason: expect.stringContaining(`it cannot be unpacked to ${tmp}: ${reason}`),
            },
          ],
        });
      }
      expect(readdirSync(tmp)).toEqual([]);
      spawnSync('umount', [tmp]);
      const { code, stdout } = await scan();
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ hashed: 1, postponed: [], damaged: [] });
    });
  }
});
