import { setTimeout } from 'node:timers/promises';
import type { Client, Reply } from './client.ts';
import type { FoundDownloads } from './downloads.ts';
import { readItem } from './read-item.ts';
import type { WriteRecord } from './record.ts';

const readers = 6;
const attempts = 40;
const pauseMs = 250;
const jobsTimeoutMs = 150_000;
const recoveryTimeoutMs = 60_000;
/** Timeout for missing download records to appear, in milliseconds. An outage delays them. */
const downloadsTimeoutMs = 10_000;

/** Acknowledged writes and downloads that are lost, and those that were done more than once. */
export interface Differences {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** Options of a comparison. */
export interface Comparison {
  /** Times at which instances were killed, as values of `performance.now()`. */
  readonly kills?: readonly number[];
  /** True if only the values that are found are allowed from then on. */
  readonly setsExpected?: boolean;
  /** True if the catalogue is a copy of the one that was compared with `setsExpected`. */
  readonly isCopy?: boolean;
}

/**
 * Compares the items `names`, the whole audit and the download records of a catalogue with
 * `record`.
 */
export async function compare(
  client: Client,
  record: WriteRecord,
  names: readonly string[],
  { kills = [], setsExpected = false, isCopy = false }: Comparison = {},
): Promise<Differences> {
  const lost: string[] = [];
  const queue = [...names];
  const work = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const found = await readWithRetries(client, item);
      const isRight = record.allows(item, found);
      if (!isRight) lost.push(`${item}: found ${found}`);
      if (setsExpected || !isRight) record.setExpected(item, found); // reports a loss only once
    }
  };
  await Promise.all(Array.from({ length: readers }, work));
  const audit = record.compareAudit(await countAudit(client));
  const downloads = isCopy
    ? record.downloads.compareCopy(await countDownloads(client, record.downloads.expected.newest))
    : await compareDownloads(client, record, { kills, setsExpected });
  return {
    lost: [...lost, ...audit.lost, ...downloads.lost],
    doubled: [...audit.doubled, ...downloads.doubled],
  };
}

/**
 * Compares the download records. If some are missing, waits up to `downloadsTimeoutMs` for them.
 */
async function compareDownloads(
  client: Client,
  { downloads }: WriteRecord,
  { kills, setsExpected }: { kills: readonly number[]; setsExpected: boolean },
): Promise<Differences> {
  for (const until = Date.now() + downloadsTimeoutMs; ; await setTimeout(pauseMs)) {
    const found = await countDownloads(client);
    if (downloads.hasMissing(found, kills) && Date.now() < until) continue;
    if (setsExpected) downloads.setExpected(found);
    return downloads.compare(found, kills);
  }
}

/**
 * Counts the download records by name. If `newest` is given, leaves out records with higher ids.
 */
async function countDownloads(client: Client, newest?: number): Promise<FoundDownloads> {
  const counts = new Map<string, number>();
  let highest = 0;
  for (let before = newest === undefined ? '' : `&before=${newest + 1}`; ; ) {
    const { items } = await getJson<{ items: { id: number; name: string }[] }>(
      client,
      `/api/downloads?limit=500${before}`,
    );
    for (const { name } of items) counts.set(name, (counts.get(name) ?? 0) + 1);
    highest = Math.max(highest, items[0]?.id ?? 0);
    const last = items.at(-1);
    if (last === undefined || items.length < 500) return { counts, newest: highest };
    before = `&before=${last.id}`;
  }
}

async function readWithRetries(client: Client, item: string): Promise<string | null> {
  for (let left = attempts; left > 0; left -= 1) {
    const found = await readItem(client, item);
    if (found !== undefined) return found;
    await setTimeout(pauseMs);
  }
  throw new Error(`${item} cannot be read`);
}

interface AuditItem {
  readonly id: number;
  readonly action: string;
  readonly target: string;
  readonly detail: {
    readonly sha256?: string;
    readonly username?: string;
    readonly file?: string;
  } | null;
}

/** Counts the entries of the audit by the names that the load gives to its writes. */
async function countAudit(client: Client): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let before = ''; ; ) {
    const { items } = await getJson<{ items: AuditItem[] }>(
      client,
      `/api/audit?limit=500${before}`,
    );
    for (const item of items) {
      const name = nameOf(item);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const last = items.at(-1);
    if (last === undefined || items.length < 500) return counts;
    before = `&before=${last.id}`;
  }
}

function nameOf({ action, target, detail }: AuditItem): string {
  if (action === 'user.create') return `${action} ${detail?.username}`;
  if (action === 'import') return `${action} ${detail?.file}`;
  return detail?.sha256 === undefined
    ? `${action} ${target}`
    : `${action} ${target} ${detail.sha256}`;
}

interface Job {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly report?: unknown;
}

/** A job whose state is not `done`. */
export interface BadJob {
  readonly id: number;
  /** The error of its report, if it has one. */
  readonly error: string | undefined;
  readonly text: string;
}

/**
 * Waits until all jobs have ended, for at most `jobsTimeoutMs`. Returns the number and the highest
 * id of the jobs with ids above `after`, and those of them whose state is not `done`.
 */
export async function waitForJobs(
  client: Client,
  after: number,
): Promise<{ newest: number; count: number; bad: BadJob[] }> {
  for (const until = Date.now() + jobsTimeoutMs; ; await setTimeout(500)) {
    const { items } = await getJson<{ items: Job[] }>(client, '/api/jobs?limit=500');
    const unfinished = items.filter(({ state }) => state === 'running' || state === 'queued');
    if (unfinished.length > 0 && Date.now() < until) continue;
    const newJobs = items.filter(({ id }) => id > after);
    const bad: BadJob[] = [];
    for (const { id, kind, state } of newJobs.filter((job) => job.state !== 'done')) {
      const { report } = await getJson<Job>(client, `/api/jobs/${id}`);
      const { error } = (report ?? {}) as { error?: string };
      bad.push({ id, error, text: `${kind} ${id}: ${state} ${JSON.stringify(report)}` });
    }
    return { newest: Math.max(after, ...newJobs.map(({ id }) => id)), count: newJobs.length, bad };
  }
}

/**
 * Verifies all archives and covers. Returns the differences. While there are differences, verifies
 * again for at most `recoveryTimeoutMs`. The change of a killed process is recovered only after its
 * death is noticed.
 */
export async function verifyFiles(client: Client): Promise<string[]> {
  const json = { kind: 'verify', options: { store: true, covers: true } };
  for (const until = Date.now() + recoveryTimeoutMs; ; await setTimeout(2_000)) {
    const started = await client.send('/api/jobs', { json });
    if (started.status !== 200) throw new Error(`no verification: ${started.status}`);
    const { id } = started.json as { id: number };
    await waitForJobs(client, id);
    const { state, report } = await getJson<Job>(client, `/api/jobs/${id}`);
    const { findings } = report as { findings?: object[] };
    if (state !== 'done' || findings === undefined) throw new Error(`verification: ${state}`);
    if (findings.length === 0 || Date.now() > until)
      return findings.map((finding) => JSON.stringify(finding));
  }
}

async function getJson<T>(client: Client, path: string): Promise<T> {
  let reply: Reply | undefined;
  for (let left = attempts; left > 0; left -= 1) {
    reply = await client.send(path);
    if (reply.status === 200) return reply.json as T;
    await setTimeout(pauseMs);
  }
  throw new Error(`${path}: ${reply?.status} ${reply?.bytes}`);
}
