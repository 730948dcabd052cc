import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../measure/median.ts';
import { builtProgram } from '../../measure/program.ts';
import type { Bench, Row } from '../row.ts';
import { makeImages } from './hash-rows.ts';

const turns = 3;

/**
 * Measures a scan with hashes of a folder of images. The reference is igir for the same files. Both
 * are timed from program start to end, with SHA-1 as the minimum checksum.
 */
export const igirBench: Bench = {
  rows: ['igir'],
  skipReason: () => (spawnSync('igir', ['--version']).status === 0 ? null : 'no igir'),
  measure: async (work) => {
    const images = await work.folder('images');
    makeImages(images);
    return igirRows(images, await work.folder('igir'));
  },
};

function igirRows(images: string, folder: string): Row[] {
  const dat = join(folder, 'bench.dat');
  writeFileSync(dat, datOf(readFileSync(join(images, 'image.iso'))));
  const catalog: number[] = [];
  const igir: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const env = { ...process.env, CATALOG_DATA: join(folder, `data ${turn}`) };
    execFileSync(process.execPath, [builtProgram, 'import', dat], { env, stdio: 'ignore' });
    const scan = [builtProgram, 'scan', '--games-root', images];
    catalog.push(measureMs(() => execFileSync(process.execPath, scan, { env, stdio: 'ignore' })));
    const report = ['report', '--dat', dat, '--input', images, '--input-checksum-min', 'SHA1'];
    const output = ['--report-output', join(folder, `report ${turn}.csv`)];
    igir.push(measureMs(() => execFileSync('igir', [...report, ...output], { stdio: 'ignore' })));
  }
  const [catalogMs = 0, igirMs = 0] = [median(catalog), median(igir)];
  const what = `scan of ${readdirSync(images).length} images`;
  return [
    {
      name: 'igir',
      what,
      unit: 'ms',
      catalog: catalogMs,
      reference: igirMs,
      against: 'igir',
      targets: [{ of: 'ratio', most: 1 }],
    },
  ];
}

/** Returns a DAT that lists `image` as its only ROM. */
function datOf(image: Buffer): string {
  const sha1 = createHash('sha1').update(image).digest('hex');
  const rom = `<rom name="image.iso" size="${image.length}" sha1="${sha1}"/>`;
  return `<?xml version="1.0"?>
<datafile><header><name>Bench</name></header><game name="image">${rom}</game></datafile>
`;
}

function measureMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
