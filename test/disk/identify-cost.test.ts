import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { zipOf } from '../imports/support/zip-file.ts';
import { makeIso, nintendoImage, pspIso, systemArea } from '../support/images/disc-images.ts';
import { makeCso, makeDax, makeRaw, makeRvz } from '../support/images/packed-images.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const skipReason = toolsSkipReason('xorriso');

interface Cost {
  serial: string | null;
  reads: number;
  bytes: number;
}

function costOf(paths: readonly string[]): Cost[] {
  const script = join(import.meta.dirname, 'identify-cost.ts');
  return JSON.parse(execFileSync(process.execPath, [script, ...paths], { encoding: 'utf8' }));
}

describe('the disc reader', () => {
  test.skipIf(skipReason !== null)(
    `finds the serial with at most 20 reads and 64 KiB ${skipReason ?? ''}`,
    () => {
      const iso = Buffer.concat([pspIso(), Buffer.alloc(32 * 1024 * 1024)]);
      const cnf = makeIso({ 'SYSTEM.CNF': 'BOOT = cdrom:\\SLUS_012.34;1' });
      const images: Record<string, Buffer> = {
        iso,
        cso: makeCso(iso),
        zso: makeCso(iso, { magic: 'ZISO' }, (block) => block),
        dax: makeDax(iso),
        'ps1 raw': makeRaw(cnf, 2),
        gamecube: nintendoImage('GW7E69', 'T', 'gamecube'),
        rvz: makeRvz(nintendoImage('GW7E69', 'T', 'gamecube')),
        saturn: systemArea({ 0: 'SEGA SEGASATURN ', 32: 'GS-9007' }),
        zip: zipOf([{ name: 'a.iso', content: Buffer.concat([pspIso(), randomBytes(1_000_000)]) }]),
      };
      const paths = Object.entries(images).map(([name, image]) => folder.write(image, name));
      truncateSync(join(folder.path, 'iso'), 4 * 1024 ** 3);
      const costs = costOf(paths);
      for (const [i, { serial, reads, bytes }] of costs.entries()) {
        expect(reads, paths[i]).toBeGreaterThan(0);
        expect(serial, paths[i]).not.toBeNull();
        expect(reads, paths[i]).toBeLessThanOrEqual(20);
        expect(bytes, paths[i]).toBeLessThanOrEqual(64 * 1024);
      }
    },
  );
});
