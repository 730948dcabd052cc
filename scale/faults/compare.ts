import { setTimeout } from 'node:timers/promises';
import type { Client, Reply } from './client.ts';
import type { WriteRecord } from './record.ts';
import { readThing } from './things.ts';

const readers = 6;
const attempts = 40;
const pauseMs = 250;
const jobsTimeoutMs = 150_000;
const recoveryTimeoutMs = 60_000;

/** Acknowledged writes that are lost, and writes that were done more than once. */
export interface Differences {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/**
 * Compares things and the whole audit of a catalogue with the record. If `settles` is set, what is
 * found is from then on the only right value.
 */
export async function compare(
  client: Client,
  record: WriteRecord,
  things: readonly string[],
  settles = false,
): Promise<Differences> {
  const lost: string[] = [];
  const waiting = [...things];
  const work = async () => {
    for (let thing = waiting.pop(); thing !== undefined; thing = waiting.pop()) {
      const found = await readSurely(client, thing);
      const isRight = record.allows(thing, found);
      if (!isRight) lost.push(`${thing}: found ${found}`);
      if (settles || !isRight) record.settle(thing, found); // reports a loss only once
    }
  };
  await Promise.all(Array.from({ length: readers }, work));
  const audit = record.compareAudit(await countAudit(client));
  return { lost: [...lost, ...audit.lost], doubled: audit.doubled };
}

async function readSurely(client: Client, thing: string): Promise<string | null> {
  for (let left = attempts; left > 0; left -= 1) {
    const found = await readThing(client, thing);
    if (found !== undefined) return found;
    await setTimeout(pauseMs);
  }
  throw new Error(`${thing} cannot be read`);
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

/**
 * Waits until all jobs have ended. Returns the new ones, with ids above `after`, and how each ended
 * otherwise than `done`.
 */
export async function waitForJobs(
  client: Client,
  after: number,
): Promise<{ newest: number; count: number; bad: string[] }> {
  for (const until = Date.now() + jobsTimeoutMs; ; await setTimeout(500)) {
    const { items } = await getJson<{ items: Job[] }>(client, '/api/jobs?limit=500');
    const open = items.filter(({ state }) => state === 'running' || state === 'queued');
    if (open.length > 0 && Date.now() < until) continue;
    const own = items.filter(({ id }) => id > after);
    const bad: string[] = [];
    for (const { id, kind, state } of own.filter((job) => job.state !== 'done')) {
      const { report } = await getJson<Job>(client, `/api/jobs/${id}`);
      bad.push(`${kind} ${id}: ${state} ${JSON.stringify(report)}`);
    }
    return { newest: Math.max(after, ...own.map(({ id }) => id)), count: own.length, bad };
  }
}

/**
 * Verifies all archives and covers. Returns the differences. Tries again for some time, because a
 * change that a killed process began is recovered only after its death was noticed.
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
