import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../../measure/median.ts';
import { runCatalog } from '../../measure/program.ts';
import type { Bench, Row } from '../row.ts';

const run = promisify(execFile);
const mib = 1024 * 1024;
const turns = 3;

/** A library and a set of all its games. */
interface Library {
  /** The options of a command for this library. */
  readonly options: readonly string[];
  readonly games: string;
  /** A folder for trees. */
  readonly treeFolder: string;
  readonly bytes: number;
}

/**
 * Measures `catalog build` as a whole command: the plan of many small games, a build without a
 * change, and the copying of large games. The reference for the copying is `cp`, followed by a
 * sync, because a build syncs its copies too.
 */
export const buildBench: Bench = {
  rows: ['build-plan', 'build-again', 'build-copy'],
  measure: async (work, isWanted) => {
    const rows: Row[] = [];
    if (isWanted('build-plan') || isWanted('build-again')) {
      const many = await makeLibrary(await work.folder('build-many'), 20_000, 200);
      rows.push(...(await measurePlans(many)));
    }
    if (isWanted('build-copy')) {
      const large = await makeLibrary(await work.folder('build-large'), 8, 256 * mib);
      rows.push(await measureCopies(large));
    }
    return rows;
  },
};

async function measurePlans(library: Library): Promise<Row[]> {
  const target = join(library.treeFolder, 'tree');
  const plans: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    plans.push(await msOf(() => build(library, target, '--dry-run')));
  }
  await build(library, target);
  const rebuilds: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    rebuilds.push(await msOf(() => build(library, target)));
  }
  const common = { unit: 'ms', reference: null, against: '' } as const;
  const targets = [{ of: 'catalog', most: 3_000 }] as const;
  return [
    {
      name: 'build-plan',
      what: 'plan of 20,000 games',
      ...common,
      catalog: median(plans),
      targets,
    },
    {
      ...{ name: 'build-again', what: 'build of 20,000 games without a change', ...common },
      ...{ catalog: median(rebuilds), targets },
    },
  ];
}

async function measureCopies(library: Library): Promise<Row> {
  const rates: [number[], number[]] = [[], []];
  const { treeFolder, games, bytes } = library;
  for (let turn = 0; turn < turns; turn += 1) {
    const [ours, theirs] = [join(treeFolder, `ours-${turn}`), join(treeFolder, `theirs-${turn}`)];
    const planned = await msOf(() => build(library, ours, '--dry-run'));
    const built = (await msOf(() => build(library, ours, '--mode', 'copy'))) - planned;
    const copied = await msOf(async () => {
      await run('cp', ['-r', games, theirs]);
      await run('sync', ['-f', theirs]);
    });
    rates[0].push(bytes / 1_000 / built);
    rates[1].push(bytes / 1_000 / copied);
    for (const folder of [ours, theirs]) await rm(folder, { recursive: true });
  }
  return {
    name: 'build-copy',
    what: 'copies of 8 games of 256 MiB, without the plan',
    unit: 'MB/s',
    catalog: median(rates[0]),
    reference: median(rates[1]),
    against: 'cp and sync',
    targets: [{ of: 'ratio', least: 0.9 }],
  };
}

function build({ options }: Library, to: string, ...more: string[]) {
  return runCatalog(['build', 'All', '--profile', 'batocera', '--to', to, ...options, ...more]);
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Makes a library of `count` games of `size` bytes. */
async function makeLibrary(folder: string, count: number, size: number): Promise<Library> {
  const [games, treeFolder, data] = ['games', 'place', 'data'].map((name) => join(folder, name));
  if (!games || !treeFolder || !data) throw new Error('no folders');
  await mkdir(games, { recursive: true });
  await mkdir(treeFolder, { recursive: true });
  const rows: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const bytes = randomBytes(size);
    const name = `Game ${i} (Europe)`;
    await writeFile(join(games, `${name}.gb`), bytes);
    const sha1 = createHash('sha1').update(bytes).digest('hex');
    rows.push(`<game name="${name}"><rom name="${name}.gb" size="${size}" sha1="${sha1}"/></game>`);
  }
  const dat = join(folder, 'bench.dat');
  const header = '<header><name>Nintendo - Game Boy</name></header>';
  await writeFile(dat, `<?xml version="1.0"?>\n<datafile>${header}${rows.join('\n')}</datafile>\n`);
  const rule = join(folder, 'rule.json');
  await writeFile(rule, JSON.stringify({ all: [] }));
  const options = ['--data', data, '--games-root', games];
  await runCatalog(['import', '--data', data, dat]);
  await runCatalog(['scan', ...options]);
  await runCatalog(['sets', 'save', 'All', '--rule', rule, '--data', data]);
  return { options, games, treeFolder, bytes: count * size };
}
