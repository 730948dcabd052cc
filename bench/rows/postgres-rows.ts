import { join } from 'node:path';
import { runCatalog, type Server, startServer } from '../../measure/program.ts';
import { timedImport } from '../../measure/timed-import.ts';
import { installations } from '../../test/support/postgres/installations.ts';
import { makeServer, type OwnServer } from '../../test/support/postgres/own-server.ts';
import { holdToQuota, lackOfQuota } from '../cpu-quota.ts';
import { sampleReleases } from '../data/samples.ts';
import { loaded } from '../loaded.ts';
import { type Bench, type BenchWork, median, type Row } from '../row.ts';
import { type Costs, costsOf, kinds } from './growth-rows.ts';

const sizes = [170_000, 1_000_000];
/** Number of releases in the real DATs. */
const imported = 156_381;
const rounds = 5;
const secondsPerRound = 4;
const processors = 0.3;

const installation = installations.find(({ lack }) => lack === null);
const lack = () =>
  installation === undefined ? (installations[0]?.lack ?? '').replace(/^skipped: /, '') : null;

/**
 * Measures response times with a local PostgreSQL server with default settings. The reference is
 * SQLite.
 */
export const postgresBench: Bench = {
  rows: sizes.flatMap((size) => kinds.map((kind) => nameOf(kind, size))),
  missing: lack,
  async measure(work, isWanted) {
    const rows: Row[] = [];
    for (const size of sizes.filter((one) => kinds.some((kind) => isWanted(nameOf(kind, one))))) {
      const [own, other] = await costsOnBoth(work, size);
      for (const kind of kinds) {
        rows.push({
          name: nameOf(kind, size),
          what: `${kind} of ${size} releases on PostgreSQL, p95`,
          unit: 'ms',
          catalog: other?.[kind] ?? 0,
          reference: own?.[kind] ?? 0,
          against: 'the same on SQLite',
          targets: [{ of: 'ratio', most: 2 }],
        });
      }
    }
    return rows;
  },
};

/** Returns the costs on SQLite and on PostgreSQL, in this order. */
async function costsOnBoth(work: BenchWork, size: number): Promise<Costs[]> {
  return withCopy(work, size, async ({ address }) => {
    const other = await work.folder(`postgres-${size}`);
    return serving(await work.catalogue(size), [], ({ url }) =>
      serving(other, ['--database', address], (far) => costsOf([url, far.url])),
    );
  });
}

/** Measures an import into PostgreSQL. The reference is the same import into SQLite. */
export const postgresImportBench: Bench = {
  rows: ['postgres-import'],
  missing: lack,
  async measure(work) {
    return [await comparedImports(work, 'postgres-import', await work.dats(imported))];
  },
};

/**
 * Measures the import of libretro's whole archive into PostgreSQL. Most files of the archive only
 * add metadata to the releases of other files. The reference is the same import into SQLite.
 */
export const postgresMetadataBench: Bench = {
  rows: ['postgres-import-metadata'],
  missing: ({ archive }) => lack() ?? (archive === null ? "needs libretro's DATs" : null),
  async measure(work) {
    return [await comparedImports(work, 'postgres-import-metadata', [work.archive ?? ''])];
  },
};

async function comparedImports(
  work: BenchWork,
  name: string,
  dats: readonly string[],
): Promise<Row> {
  const folder = await work.folder(name);
  const own = await timedImport(dats, join(folder, 'sqlite'));
  const other = await withServer(({ address }) =>
    timedImport(dats, join(folder, 'postgres'), ['--database', address]),
  );
  if (other.new !== own.new) throw new Error(`${other.new} are new, not ${own.new}`);
  return {
    name,
    what: `import of ${own.rows} rows into PostgreSQL`,
    unit: 'ms',
    catalog: other.ms,
    reference: own.ms,
    against: 'the same into SQLite',
    targets: [{ of: 'ratio', most: 2.5 }],
  };
}

/**
 * Measures two instances, each limited to a part of a processor. The reference is a single instance
 * with the same limit. The requests are for list pages and details that are never cached.
 */
export const instancesBench: Bench = {
  rows: ['two-instances'],
  missing: () => lack() ?? lackOfQuota(),
  async measure(work) {
    const size = sizes[0] as number;
    return withCopy(work, size, async ({ address }) => {
      const open = async (name: string) =>
        startServer(await work.folder(`instance-${name}`), ['--database', address]);
      const instances = [await open('a'), await open('b')];
      const releases: (() => void)[] = [];
      try {
        const [one = '', two = ''] = instances.map(({ url }) => url);
        const hold = () => {
          for (const [i, { pid }] of instances.entries()) {
            releases.push(holdToQuota(`${i}`, pid, processors));
          }
        };
        return [await comparedInstances(one, two, hold)];
      } finally {
        for (const { stop } of instances) await stop();
        for (const release of releases) release();
      }
    });
  },
};

async function comparedInstances(one: string, two: string, hold: () => void): Promise<Row> {
  const samples = await sampleReleases(one);
  const asks = samples.flatMap(({ id, offset }) => [
    { path: `/api/releases/${id}` },
    { path: `/api/releases?offset=${offset}` },
  ]);
  const perSecond = async (url: string) =>
    (await loaded(url, asks, secondsPerRound, true)).perSecond;
  // Warm up before the quota applies, because warming up under the quota would take minutes.
  await Promise.all([perSecond(one), perSecond(two)]);
  hold();
  const alone: number[] = [];
  const both: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(((await perSecond(one)) + (await perSecond(two))) / 2);
    const [a, b] = await Promise.all([perSecond(one), perSecond(two)]);
    both.push(a + b);
  }
  return {
    name: 'two-instances',
    what: `details and list pages by two instances of ${processors} processors`,
    unit: 'answers/s',
    catalog: median(both),
    reference: median(alone),
    against: 'one of them alone',
    targets: [{ of: 'ratio', least: 1.7 }],
  };
}

function nameOf(kind: string, size: number): string {
  return `postgres-${kind}${size === sizes[0] ? '' : '-large'}`;
}

async function withServer<T>(use: (server: OwnServer) => Promise<T>): Promise<T> {
  const server = await makeServer(installation, []);
  try {
    return await use(server);
  } finally {
    await server.remove();
  }
}

/** Runs `use` with a server that has a catalogue of `size` releases in PostgreSQL. */
async function withCopy<T>(
  work: BenchWork,
  size: number,
  use: (server: OwnServer) => Promise<T>,
): Promise<T> {
  const data = await work.catalogue(size);
  return withServer(async (server) => {
    process.stderr.write(`bench: copying ${size} releases to PostgreSQL\n`);
    await runCatalog(['copy', '--json', '--data', data, '--to', server.address]);
    return use(server);
  });
}

async function serving<T>(
  data: string,
  options: readonly string[],
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const server = await startServer(data, options);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}
