import { execFile, spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { median } from '../../measure/median.ts';
import { builtProgram, startServer } from '../../measure/program.ts';
import { openUserClient, type UserClient } from '../../measure/user-client.ts';
import { Bucket } from '../../src/files/s3/client/bucket.ts';
import type { BucketConfig } from '../../src/files/s3/client/s3-client.ts';
import { s3SkipReason, startS3 } from '../../test/support/s3/radosgw.ts';
import { toolsSkipReason } from '../../test/support/tools.ts';
import { DrawnBytes } from '../drawn-bytes.ts';
import { environmentOf, type Place, runOn } from '../pair.ts';
import type { Row, Scene } from '../row.ts';

const run = promisify(execFile);
const archives = 200;
const uploadsAtOnce = 2;
const uploadAttempts = 5;
/** Size of the smallest archive, in bytes. The largest one is nine times as large. */
const unit = 1_000_000;
const picture = new Uint8Array(500);
picture.set(Buffer.from('89504e470d0a1a0a', 'hex')); // the first bytes of a PNG file
/**
 * Maximum duration of a verification, in percent of the reference's duration. This is 0.8 of the
 * reference's speed.
 */
const maxPercent = 125;

/**
 * Checks the speed at which `catalog verify` reads archives. From an S3 server, it must reach 0.8
 * of the speed of `rclone cat`; from a disk, 0.8 of that of `openssl dgst -sha256`. The speed of
 * plain reading with curl or cat is printed too.
 */
export const verifyRow: Row = {
  name: 'verify',
  skipReason() {
    if (spawnSync('curl', ['--version']).status !== 0) return 'needs the package curl';
    if (spawnSync('openssl', ['version']).status !== 0) return 'needs the package openssl';
    const reason = toolsSkipReason('rclone') ?? s3SkipReason;
    return reason ?? (freemem() < 4e9 ? 'needs 4 GB of memory' : null);
  },
  async measure(scene) {
    const { folder } = scene;
    const s3 = await startS3(folder, { maxBytes: 3e9 });
    try {
      const config = await s3.newBucket();
      const more = settingsOf(config);
      const inBucket: Place = { data: join(folder, 'one'), database: '', more };
      const onDisk: Place = { data: join(folder, 'two'), database: '' };
      const figures: Figure[] = [];
      const objects = `:s3:${config.bucket}/${config.prefix}/games`;
      const s3Reading: Reading = {
        place: inBucket,
        plain: { command: 'curl', read: curlOf(config, folder) },
        reference: {
          command: 'rclone cat',
          read: () => rcloneCat(objects, environmentOfRclone(config)),
        },
      };
      figures.push(await compare('S3', s3Reading, scene));
      const diskReading: Reading = {
        place: onDisk,
        plain: { command: 'cat', read: () => readFiles(onDisk, 'cat') },
        reference: {
          command: 'openssl dgst',
          read: () => readFiles(onDisk, 'openssl dgst -sha256'),
        },
      };
      figures.push(await compare('disk', diskReading, scene));
      return figures;
    } finally {
      await s3.stop();
    }
  },
};

/**
 * Stores the archives and one cover. With the cover, a verification of the covers starts like one
 * of the archives: it also loads the S3 client. Returns the total size of the archives.
 */
async function fill(place: Place, { folder, seed, times }: Scene): Promise<number> {
  const drawn = new DrawnBytes(seed);
  await runOn(place, ['import', ...(await generateDats(join(folder, 'dats'), [1]))]);
  const server = await startServer(place.data, [], builtProgram, environmentOf(place));
  try {
    const person = await openUserClient(server.url);
    const cover = await person.putCover(1, picture);
    if (cover.status !== 200) throw new Error(`the cover was answered with ${cover.status}`);
    const queue = Array.from({ length: times(archives) }, (_, number) => number);
    let bytes = 0;
    const work = async () => {
      for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
        const size = unit * (1 + ((number * 7) % 9));
        const part = new Uint8Array(drawn.part(0, size));
        part.set(Buffer.from(`${number} `)); // so that all archives are different
        await store(person, `archive ${number}.zip`, part);
        bytes += size;
      }
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, work));
    return bytes;
  } finally {
    await server.stop();
  }
}

/** Stores an archive. Tries again after a failure. */
async function store(person: UserClient, name: string, bytes: Uint8Array<ArrayBuffer>) {
  for (let left = uploadAttempts; ; left -= 1) {
    const { status } = await person.upload(name, bytes);
    if (status === 200) return;
    if (left === 0) throw new Error(`${name}: answered ${status}`);
  }
}

/** A catalogue, and the commands that read its archives without verifying them. */
interface Reading {
  readonly place: Place;
  /** Plain reading, which is printed for information. */
  readonly plain: Command;
  readonly reference: Command;
}

interface Command {
  readonly command: string;
  /** Reads all archives. Returns the duration in milliseconds. */
  readonly read: () => Promise<number>;
}

/**
 * Returns the duration of a verification, in percent of the reference's duration. Both run in turn,
 * and the median of the pairs counts, because a machine's speed changes within minutes.
 */
async function compare(name: string, reading: Reading, scene: Scene) {
  const { place, plain, reference } = reading;
  const bytes = await fill(place, scene);
  const rounds: { plain: number; reference: number; start: number; whole: number }[] = [];
  for (let left = scene.times(9); left > 0; left -= 1) {
    rounds.push({
      plain: await plain.read(),
      reference: await reference.read(),
      start: await verify(place, '--covers'),
      whole: await verify(place, '--store'),
    });
  }
  // The start of the program is not part of the reading.
  const startMs = Math.min(...rounds.map(({ start }) => start));
  const verified = rounds.map(({ whole }) => whole - startMs);
  const percentOf = (other: 'plain' | 'reference') =>
    median(rounds.map((round) => ((round.whole - startMs) / round[other]) * 100));
  const rate = (durations: readonly number[]) =>
    `${Math.round(bytes / 1e3 / median(durations))} MB/s`;
  const [plainRate, referenceRate] = [
    rate(rounds.map((round) => round.plain)),
    rate(rounds.map((round) => round.reference)),
  ];
  process.stderr.write(
    `scale: ${name}: ${Math.round(bytes / 1e6)} MB read by ${reference.command} with ${referenceRate}, by ${plain.command} with ${plainRate}, verified with ${rate(verified)} (${Math.round(percentOf('plain'))} % of the duration of ${plain.command})\n`,
  );
  return {
    what: `${name}: duration of verify compared with ${reference.command}`,
    value: percentOf('reference'),
    unit: '%',
    max: maxPercent,
  };
}

async function verify(place: Place, part: string): Promise<number> {
  if (place.more === undefined) await evict(place);
  const env = { PATH: process.env.PATH, ...environmentOf(place) };
  const args = [builtProgram, 'verify', part, '--data', place.data];
  return timed(() => run(process.execPath, args, { env }));
}

/** Reads all objects below a path of a bucket with `rclone cat` and its default settings. */
function rcloneCat(source: string, settings: Readonly<Record<string, string>>): Promise<number> {
  const env = { PATH: process.env.PATH, RCLONE_CONFIG: '/dev/null', ...settings };
  const args = ['-c', 'rclone cat "$1" > /dev/null', 'sh', source];
  return timed(() => run('sh', args, { env }));
}

function environmentOfRclone(of: BucketConfig): Readonly<Record<string, string>> {
  return {
    RCLONE_S3_PROVIDER: 'Ceph',
    RCLONE_S3_ENDPOINT: of.endpoint,
    RCLONE_S3_ACCESS_KEY_ID: of.accessKey,
    RCLONE_S3_SECRET_ACCESS_KEY: of.secretKey,
  };
}

/**
 * Returns a function that reads all objects of a bucket with curl, one at a time and then four at a
 * time. The function returns the shorter duration.
 */
function curlOf(config: BucketConfig, folder: string): () => Promise<number> {
  return async () => {
    const lines = (await urlsOf(config)).flatMap((url) => [
      `url = "${url}"`,
      'output = "/dev/null"',
    ]);
    const file = join(folder, 'curl.conf');
    await writeFile(file, ['silent', 'fail', 'globoff', ...lines].join('\n'));
    const oneByOne = await timed(() => run('curl', ['--config', file]));
    const more = ['--parallel', '--parallel-immediate', '--parallel-max', '4'];
    return Math.min(oneByOne, await timed(() => run('curl', [...more, '--config', file])));
  };
}

async function urlsOf(config: BucketConfig): Promise<string[]> {
  const bucket = new Bucket(config);
  const presentation = { type: 'application/octet-stream', disposition: 'attachment' };
  const urls: string[] = [];
  for await (const { key } of bucket.list('games/'))
    urls.push(await bucket.signedUrl(key, presentation));
  await bucket.close();
  if (urls.length === 0) throw new Error('the bucket has no objects');
  return urls;
}

/** Reads all archives of a data folder from the disk with a command. */
async function readFiles(place: Place, command: string): Promise<number> {
  await evict(place);
  const files = await filesOf(place);
  return timed(() => run('sh', ['-c', `${command} "$@" > /dev/null`, 'sh', ...files]));
}

/** Removes the archives of a data folder from the page cache. */
async function evict(place: Place): Promise<void> {
  for (const file of await filesOf(place)) {
    // dd(1): "of=FILE oflag=nocache conv=notrunc,fdatasync count=0" drops the cache of a file
    const options = ['oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'];
    await run('dd', ['if=/dev/null', `of=${file}`, ...options]);
  }
}

async function filesOf({ data }: Place): Promise<string[]> {
  const folder = join(data, 'store', 'games');
  return (await readdir(folder)).map((name) => join(folder, name));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function settingsOf(of: BucketConfig): Readonly<Record<string, string>> {
  return {
    CATALOG_FILES: `s3://${of.bucket}/${of.prefix}`,
    CATALOG_S3_ENDPOINT: of.endpoint,
    CATALOG_S3_ACCESS_KEY: of.accessKey,
    CATALOG_S3_SECRET_KEY: of.secretKey,
  };
}
