import { setTimeout } from 'node:timers/promises';
import type { Figure } from '../../measure/figure.ts';
import { s3SkipReason } from '../../test/support/s3/radosgw.ts';
import { toolsSkipReason } from '../../test/support/tools.ts';
import { Client } from '../faults/client.ts';
import {
  type BadJob,
  compare,
  type Differences,
  verifyFiles,
  waitForJobs,
} from '../faults/compare.ts';
import { type Fault, faults } from '../faults/faults.ts';
import { type Line, requestsOf, tableOfLines } from '../faults/line.ts';
import { Load } from '../faults/load.ts';
import { WriteRecord } from '../faults/record.ts';
import { dumpSkipReason, recoverEach } from '../faults/recover.ts';
import { openSite, type Site } from '../faults/site.ts';
import { noneOf, type Row, type Scene } from '../row.ts';

/** The name with which `--only` chooses the copies and restores. */
const copies = 'copies';
/** Names for `--only`. */
export const partNames: readonly string[] = [...faults.map(({ name }) => name), copies];

/** Duration of the load before a fault, and after it, in seconds. */
const before = 4;
const after = 14;
/** Maximum duration of the whole row. */
const maxMinutes = 25;
/** Maximum number of lines to print for each fault and kind of problem. */
const maxPrinted = 10;

/**
 * Causes twelve faults, one after another, under load. Then copies and restores the catalogue.
 * Compares each result with the record of acknowledged writes and downloads.
 */
export const faultsRow: Row = {
  name: 'faults',
  skipReason: () => s3SkipReason ?? toolsSkipReason('haproxy', 'openssl') ?? dumpSkipReason,
  async measure(scene) {
    const { server, only, show, times } = scene;
    if (server === null) throw new Error('a server of its own is needed');
    const isChosen = (name: string) => only.length === 0 || only.includes(name);
    const began = performance.now();
    const site = await openSite(scene, server);
    const record = new WriteRecord();
    const lines: Line[] = [];
    const skipped: string[] = [];
    const jobs = { newest: 0, count: 0, bad: 0 };
    let differences = 0;
    try {
      for (const fault of faults.filter(({ name }) => isChosen(name))) {
        const reason = fault.skipReason?.(site) ?? null;
        if (reason !== null) {
          skipped.push(`${fault.name}: skipped: ${reason}`);
          continue;
        }
        const since = performance.now();
        lines.push(await tryFault(site, record, fault, { jobs, times }));
        const seconds = Math.round((performance.now() - since) / 1_000);
        log(`${tableOfLines(lines.slice(-1)).join('\n')} (${seconds} s)`);
      }
      const report = (name: string, found: Differences) => {
        log(name);
        const { acknowledged } = record;
        lines.push({ name, acknowledged, ...printAndCount(name, found), requests: null });
      };
      differences = await countDifferences(site);
      report('in the end', await compareAll(site, record));
      if (isChosen(copies)) {
        await stopInstances(site);
        await recoverEach(site, record, report);
      }
    } finally {
      await site.close();
    }
    const minutes = (performance.now() - began) / 60_000;
    const done = `jobs: ${jobs.count - jobs.bad} of ${jobs.count} done`;
    show([...tableOfLines(lines), ...skipped, done, `${minutes.toFixed(1)} minutes`]);
    return [
      ...figuresOf(lines, jobs),
      noneOf('files that differ from their records', differences),
      { what: 'duration', value: minutes, unit: 'minutes', max: maxMinutes },
    ];
  },
};

/** Causes a fault under load. Returns its line of the table. */
async function tryFault(
  site: Site,
  record: WriteRecord,
  { name, cause, jobError, seconds, end }: Fault,
  { jobs, times }: { jobs: { newest: number; count: number; bad: number } } & Pick<Scene, 'times'>,
): Promise<Line> {
  const earlier = record.acknowledged;
  const load = new Load(site, record);
  let since: number;
  let acknowledged: number;
  try {
    await setTimeout(times(before) * 1_000);
    await cause(site);
    await setTimeout(seconds * 1_000);
    await end(site);
    since = performance.now();
    await setTimeout(times(after) * 1_000);
  } finally {
    await load.stop();
    acknowledged = record.acknowledged - earlier;
  }
  const client = clientOf(site, record);
  const { newest, count, bad } = await waitForJobs(client, jobs.newest);
  const isRefusal = ({ error }: BadJob) => error !== undefined && error === jobError;
  const refused = bad.filter(isRefusal);
  for (const { id } of refused) record.failJob(id);
  Object.assign(jobs, {
    newest,
    count: jobs.count + count - refused.length,
    bad: jobs.bad + bad.length - refused.length,
  });
  print(
    name,
    'job',
    bad.map(({ text }) => text),
  );
  const found = await compare(client, record, record.takeTouched(), { kills: site.kills });
  client.close();
  print(name, 'stale', load.stale);
  print(name, 'other failure', load.otherFailures);
  return {
    name,
    acknowledged,
    ...printAndCount(name, found),
    requests: requestsOf(load.sent, load.stale.length, since),
  };
}

/** Returns the number of archives and covers that differ from their records. */
async function countDifferences({ proxy, token }: Site): Promise<number> {
  const client = new Client(proxy.origin, token);
  const differences = await verifyFiles(client);
  client.close();
  print('in the end', 'differs', differences);
  return differences.length;
}

/** Compares everything once more. From then on, only the values that are found are allowed. */
async function compareAll(site: Site, record: WriteRecord): Promise<Differences> {
  const client = clientOf(site, record);
  const options = { kills: site.kills, setsExpected: true };
  const found = await compare(client, record, record.items, options);
  client.close();
  return found;
}

/** Returns a client whose downloads are recorded. */
function clientOf({ proxy, token }: Site, record: WriteRecord): Client {
  return new Client(proxy.origin, token, (reply) => record.downloads.recordReply(reply));
}

async function stopInstances(site: Site): Promise<void> {
  for (const which of [0, 1] as const) {
    site.signal(which, 'SIGTERM');
    await site.waitForEnd(which);
  }
}

function printAndCount(name: string, { lost, doubled }: Differences) {
  print(name, 'lost', lost);
  print(name, 'doubled', doubled);
  return { lost: lost.length, doubled: doubled.length };
}

function figuresOf(lines: readonly Line[], jobs: { count: number; bad: number }): Figure[] {
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0);
  const all = sum(({ requests }) => requests?.all ?? 0);
  const failures = sum(({ requests }) => requests?.otherFailures ?? 0);
  return [
    noneOf(
      'acknowledged writes and downloads lost',
      sum(({ lost }) => lost),
    ),
    noneOf(
      'writes and downloads done twice',
      sum(({ doubled }) => doubled),
    ),
    noneOf(
      'stale reads',
      sum(({ requests }) => requests?.stale ?? 0),
    ),
    {
      what: 'other 5xx',
      value: (failures / Math.max(all, 1)) * 100_000,
      unit: 'in 100,000',
      max: 100,
    },
    noneOf('jobs that did not end as done', jobs.bad, jobs.count),
  ];
}

function print(name: string, what: string, all: readonly string[]): void {
  for (const one of all.slice(0, maxPrinted)) log(`${name}: ${what}: ${one}`);
}

function log(text: string): void {
  process.stderr.write(`scale: ${text}\n`);
}
