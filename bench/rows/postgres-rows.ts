import { join } from 'node:path';
import { median } from '../../measure/median.ts';
import { runCatalog, type Server, startServer } from '../../measure/program.ts';
import { timeImport } from '../../measure/timed-import.ts';
import { installations } from '../../test/support/postgres/installations.ts';
import { makeServer, type OwnServer } from '../../test/support/postgres/own-server.ts';
import { limitProcessors, quotaSkipReason } from '../cpu-quota.ts';
import { sampleReleases } from '../data/samples.ts';
import { measureLoad } from '../measure-load.ts';
import type { Bench, BenchWork, Row } from '../row.ts';
import { kinds, measureResponseTimes, type ResponseTimesByKind } from './growth-rows.ts';

const sizes = [170_000, 1_000_000];
/** Number of releases in the real DATs. */
const realDatReleases = 156_381;
const rounds = 5;
const secondsPerRound = 4;
const processors = 0.3;

const installation = installations.find(({ skipReason }) => skipReason === null);
const postgresSkipReason = () =>
  installation === undefined
    ? (installations[0]?.skipReason ?? '').replace(/^skipped: /, '')
    : null;

/**
 * Measures response times with a local PostgreSQL server with default settings. The reference is
 * SQLite.
 */
export const postgresBench: Bench = {
  rows: sizes.flatMap((size) => kinds.map((kind) => nameOf(kind, size))),
  skipReason: postgresSkipReason,
  async measure(work, isWanted) {
    const rows: Row[] = [];
    for (const size of sizes.filter((one) => kinds.some((kind) => isWanted(nameOf(kind, one))))) {
      const [sqlite, postgres] = await responseTimesOnBoth(work, size);
      for (const kind of kinds) {
        rows.push({
          name: nameOf(kind, size),
          what: `${kind} of ${size} releases on PostgreSQL, p95`,
          unit: 'ms',
          catalog: postgres?.[kind] ?? 0,
          reference: sqlite?.[kind] ?? 0,
          against: 'the same on SQLite',
          targets: [{ of: 'ratio', most: 2 }],
        });
      }
    }
    return rows;
  },
};

/** Returns the response times on SQLite and on PostgreSQL, in this order. */
async function responseTimesOnBoth(work: BenchWork, size: number): Promise<ResponseTimesByKind[]> {
  return withCopy(work, size, async ({ databaseUrl }) => {
    const folder = await work.folder(`postgres-${size}`);
    return withCatalogServer(await work.catalogue(size), [], ({ url }) =>
      withCatalogServer(folder, ['--database', databaseUrl], (postgres) =>
        measureResponseTimes([url, postgres.url]),
      ),
    );
  });
}

/** Measures an import into PostgreSQL. The reference is the same import into SQLite. */
export const postgresImportBench: Bench = {
  rows: ['postgres-import'],
  skipReason: postgresSkipReason,
  async measure(work) {
    return [await compareImports(work, 'postgres-import', await work.dats(realDatReleases))];
  },
};

/**
 * Measures the import of libretro's whole archive into PostgreSQL. Most files of the archive only
 * add metadata to the releases of other files. The reference is the same import into SQLite.
 */
export const postgresMetadataBench: Bench = {
  rows: ['postgres-import-metadata'],
  skipReason: ({ archive }) =>
    postgresSkipReason() ?? (archive === null ? "needs libretro's DATs" : null),
  async measure(work) {
    return [await compareImports(work, 'postgres-import-metadata', [work.archive ?? ''])];
  },
};

async function compareImports(
  work: BenchWork,
  name: string,
  dats: readonly string[],
): Promise<Row> {
  const folder = await work.folder(name);
  const sqlite = await timeImport(dats, join(folder, 'sqlite'));
  const postgres = await withServer(({ databaseUrl }) =>
    timeImport(dats, join(folder, 'postgres'), ['--database', databaseUrl]),
  );
  if (postgres.new !== sqlite.new) throw new Error(`${postgres.new} are new, not ${sqlite.new}`);
  return {
    name,
    what: `import of ${sqlite.rows} rows into PostgreSQL`,
    unit: 'ms',
    catalog: postgres.ms,
    reference: sqlite.ms,
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
  skipReason: () => postgresSkipReason() ?? quotaSkipReason(),
  async measure(work) {
    const size = sizes[0] as number;
    return withCopy(work, size, async ({ databaseUrl }) => {
      const open = async (name: string) =>
        startServer(await work.folder(`instance-${name}`), ['--database', databaseUrl]);
      const instances = [await open('a'), await open('b')];
      const removeQuotas: (() => void)[] = [];
      try {
        const [one = '', two = ''] = instances.map(({ url }) => url);
        const applyQuotas = () => {
          for (const [i, { pid }] of instances.entries()) {
            removeQuotas.push(limitProcessors(`${i}`, pid, processors));
          }
        };
        return [await compareInstances(one, two, applyQuotas)];
      } finally {
        for (const { stop } of instances) await stop();
        for (const removeQuota of removeQuotas) removeQuota();
      }
    });
  },
};

async function compareInstances(one: string, two: string, applyQuotas: () => void): Promise<Row> {
  const samples = await sampleReleases(one);
  const requests = samples.flatMap(({ id, offset }) => [
    { path: `/api/releases/${id}` },
    { path: `/api/releases?offset=${offset}` },
  ]);
  const perSecond = async (url: string) =>
    (await measureLoad(url, requests, secondsPerRound, true)).perSecond;
  // Warm up before the quota applies, because warming up under the quota would take minutes.
  await Promise.all([perSecond(one), perSecond(two)]);
  applyQuotas();
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
    await runCatalog(['copy', '--json', '--data', data, '--to', server.databaseUrl]);
    return use(server);
  });
}

async function withCatalogServer<T>(
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
