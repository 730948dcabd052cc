import { setTimeout } from 'node:timers/promises';
import { Client, type Reply } from './client.ts';
import { readItem, sha256 } from './read-item.ts';
import { absent, outcomeOfWrite, type WriteRecord } from './record.ts';
import type { Site } from './site.ts';
import { importOnce } from './small-import.ts';
import type { Turn } from './turn.ts';

/** A request that has ended, and the client that sent it. */
export interface Sent {
  readonly client: number;
  readonly status: number;
  readonly sentAt: number;
  readonly endedAt: number;
}

/**
 * The kinds of clients: the work of one turn, the number of clients, and the pause between turns in
 * milliseconds.
 */
const kinds: readonly (readonly [
  work: (turn: Turn) => Promise<void>,
  clients: number,
  pauseMs: number,
])[] = [
  [edit, 4, 30],
  [storeArchive, 3, 100],
  [storeCover, 2, 100],
  [createUser, 1, 1_000],
  [importOnce, 1, 2_000],
  [startJob, 1, 2_000],
  [list, 3, 30],
  [download, 2, 50],
];
/** Pause of a client after a failure, in milliseconds. */
const failedPauseMs = 250;

/** Clients that write and read through the proxy, until they are stopped. */
export class Load {
  readonly sent: Sent[] = [];
  /** Reads that returned a stale value. */
  readonly stale: string[] = [];
  /** Failures that are not refusals, for diagnosis. */
  readonly otherFailures: string[] = [];
  readonly #site: Site;
  readonly #record: WriteRecord;
  readonly #running: Promise<void>[];
  #isOver = false;

  constructor(site: Site, record: WriteRecord) {
    this.#site = site;
    this.#record = record;
    let count = 0;
    this.#running = kinds.flatMap(([work, clients, pauseMs]) =>
      Array.from({ length: clients }, (_, number) => {
        count += 1;
        return this.#run(work, { number, id: count, pauseMs });
      }),
    );
  }

  /** Stops all clients after their current turns. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #run(
    work: (turn: Turn) => Promise<void>,
    { number, id, pauseMs }: { number: number; id: number; pauseMs: number },
  ): Promise<void> {
    const { proxy, token } = this.#site;
    let hasFailed = false;
    const client = new Client(proxy.origin, token, (reply) => {
      const { what, status, bytes, sentAt, endedAt } = reply;
      this.#record.downloads.recordReply(reply);
      hasFailed ||= isFailure(status);
      if (isFailure(status) && !isRefusal(status)) {
        const text = bytes.toString().replaceAll('\n', ' ').slice(0, 100);
        this.otherFailures.push(
          `${what}: ${status} after ${Math.round(endedAt - sentAt)} ms: ${text}`,
        );
      }
      this.sent.push({ client: id, status, sentAt, endedAt });
    });
    const reportStale = (what: string) => void this.stale.push(what);
    while (!this.#isOver) {
      hasFailed = false;
      const turn = this.#record.nextNumber();
      await work({ site: this.#site, client, record: this.#record, number, turn, reportStale });
      await setTimeout(hasFailed ? failedPauseMs : pauseMs);
    }
    client.close();
  }
}

/** Returns true for 0, which means that there was no response, and for a 5xx status. */
export function isFailure(status: number): boolean {
  return status === 0 || status >= 500;
}

/** Returns true for the statuses with which a server reports that it is busy or has no space. */
export function isRefusal(status: number): boolean {
  return status === 503 || status === 507;
}

const choose = <T>(all: readonly T[], turn: number) => all[turn % all.length] as T;

async function edit({ site, client, record, number, turn, reportStale }: Turn): Promise<void> {
  const id = choose(site.ids, number * 20 + (turn % 20));
  const item = `release ${id}`;
  const description = `text ${turn}`;
  const outcome = await record.write(item, description, `release.edit release/${id}`, () =>
    outcomeOf(client.send(`/api/releases/${id}`, { method: 'PATCH', json: { description } })),
  );
  if (outcome === 'acknowledged') await check({ client, record, reportStale }, item);
}

async function storeArchive(given: Turn): Promise<void> {
  const { client, record, number, turn, reportStale } = given;
  const name = `archive ${number} ${turn % 10} ${Math.floor(turn / 2_000)}.zip`;
  const item = `archive ${name}`;
  // an instance buffers a larger archive in its `tmp` folder until the archive is in the store
  const size = turn % 15 === 0 ? 270_000 : 4_000 + (turn % 4_000);
  const bytes = Buffer.alloc(size, `bytes ${turn} `);
  const isRemoval = turn % 7 === 0 && record.mark(item) > 0 && !record.allows(item, absent);
  const outcome = isRemoval
    ? await record.write(item, absent, `archive.remove store/games/${name}`, () =>
        outcomeOf(
          client.send(`/api/store/games/${encodeURIComponent(name)}`, { method: 'DELETE' }),
        ),
      )
    : await record.write(
        item,
        sha256(bytes),
        `archive.upload store/games/${name} ${sha256(bytes)}`,
        () => outcomeOf(client.send('/api/store/upload', { file: { name, bytes } })),
      );
  if (outcome === 'acknowledged') await check({ client, record, reportStale }, item);
}

async function storeCover({
  site,
  client,
  record,
  number,
  turn,
  reportStale,
}: Turn): Promise<void> {
  const id = choose(site.ids, 100 + number * 20 + (turn % 20));
  const bytes = Buffer.concat([pngSignature, Buffer.from(`cover ${turn}`)]);
  const item = `cover ${id}`;
  const outcome = await record.write(
    item,
    sha256(bytes),
    `cover.upload cover/${id} ${sha256(bytes)}`,
    () => outcomeOf(client.send(`/api/cover/${id}`, { file: { name: 'cover', bytes } })),
  );
  if (outcome === 'acknowledged') await check({ client, record, reportStale }, item);
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

async function createUser({ client, record, turn, reportStale }: Turn): Promise<void> {
  const username = `user-${turn}`;
  const item = `user ${username}`;
  const json = { username, password: 'password of it', role: 'user' };
  const outcome = await record.write(item, 'there', `user.create ${username}`, () =>
    outcomeOf(client.send('/api/users', { json })),
  );
  if (outcome === 'acknowledged') await check({ client, record, reportStale }, item);
}

async function startJob({ client, turn }: Turn): Promise<void> {
  const json = choose(
    [
      { kind: 'verify', options: { store: true, covers: true, rate: 400_000 } },
      { kind: 'covers-bundle', options: { name: `bundle-${turn % 3}` } },
    ],
    turn,
  );
  await client.send('/api/jobs', { json });
}

async function list({ site, client, turn }: Turn): Promise<void> {
  const paths = [
    '/api/releases?q=an',
    `/api/releases/${choose(site.ids, turn)}`,
    '/api/auth/me',
    '/api/store?system=games&limit=50',
  ];
  await client.send(choose(paths, turn));
}

/** Downloads an archive that another client has stored. */
async function download({ client, record, turn, reportStale }: Turn): Promise<void> {
  const archives = record.items.filter((item) => item.startsWith('archive '));
  if (archives.length > 0) await check({ client, record, reportStale }, choose(archives, turn));
}

async function outcomeOf(reply: Promise<Reply>) {
  return outcomeOfWrite((await reply).status);
}

async function check(
  { client, record, reportStale }: Pick<Turn, 'client' | 'record' | 'reportStale'>,
  item: string,
): Promise<void> {
  const mark = record.mark(item);
  const found = await readItem(client, item);
  if (found !== undefined && !record.allows(item, found, mark)) reportStale(`${item}: ${found}`);
}
