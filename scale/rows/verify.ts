import { execFile, spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figure } from '../../measure/figure.ts';
import { builtProgram, startServer } from '../../measure/program.ts';
import { openUserClient, type UserClient } from '../../measure/user-client.ts';
import { Bucket } from '../../src/files/s3/client/bucket.ts';
import type { BucketAddress } from '../../src/files/s3/client/s3-client.ts';
import { s3SkipReason, startS3 } from '../../test/support/s3/radosgw.ts';
import { DrawnBytes } from '../drawn-bytes.ts';
import { environmentOf, type Place } from '../pair.ts';
import type { Row, Scene } from '../row.ts';

const run = promisify(execFile);
const archives = 200;
const uploadsAtOnce = 2;
const uploadAttempts = 5;
/** Smallest archive, in bytes. The largest one is nine times as large. */
const unit = 1_000_000;
/** Bound of the duration of a verification, in percent of the reference: 0.8 of its speed. */
const maxPercent = 125;
/** Number of objects that are read at the same time. */
const parallel = 4;

/**
 * Checks that `catalog verify` reads archives from a disk at no less than 0.8 of the speed of cat.
 * For an S3 server, the reference is curl with `openssl dgst`. Hashing uses the same cores as the
 * server. The comparison with curl alone is printed too.
 */
export const verifyRow: Row = {
  name: 'verify',
  missing() {
    if (spawnSync('curl', ['--version']).status !== 0) return 'needs the package curl';
    if (spawnSync('openssl', ['version']).status !== 0) return 'needs the package openssl';
    return s3SkipReason ?? (freemem() < 4e9 ? 'needs 4 GB of memory' : null);
  },
  async measure(scene) {
    const { folder } = scene;
    const s3 = await startS3(folder, { maxBytes: 3e9 });
    try {
      const address = await s3.newBucket();
      const inBucket: Place = {
        data: join(folder, 'one'),
        database: '',
        more: settingsOf(address),
      };
      const onDisk: Place = { data: join(folder, 'two'), database: '' };
      const figures: Figure[] = [];
      const hash = (file: string) => `curl --config ${file} | openssl dgst -sha256`;
      const s3Reading = { place: inBucket, read: curlOf(address, folder) };
      const hashed = { command: 'curl with openssl', read: curlOf(address, folder, hash) };
      figures.push(await compare('S3', { ...s3Reading, hashed }, scene));
      figures.push(await compare('disk', { place: onDisk, read: () => readFiles(onDisk) }, scene));
      return figures;
    } finally {
      await s3.stop();
    }
  },
};

/** Stores the archives. Returns their total size. */
async function fill(place: Place, { seed, times }: Scene): Promise<number> {
  const drawn = new DrawnBytes(seed);
  const server = await startServer(place.data, [], builtProgram, environmentOf(place));
  try {
    const person = await openUserClient(server.url);
    const waiting = Array.from({ length: times(archives) }, (_, number) => number);
    let bytes = 0;
    const work = async () => {
      for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
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

/** Stores an archive, after some attempts if the machine is busy. */
async function store(person: UserClient, name: string, bytes: Uint8Array<ArrayBuffer>) {
  for (let left = uploadAttempts; ; left -= 1) {
    const { status } = await person.upload(name, bytes);
    if (status === 200) return;
    if (left === 0) throw new Error(`${name}: answered ${status}`);
  }
}

/** A catalogue, and how its archives are read without a verification. */
interface Reading {
  readonly place: Place;
  /** Reads all archives. Returns the duration in milliseconds. */
  readonly read: () => Promise<number>;
  /** The same with a hash, if plain reading is no fair reference. */
  readonly hashed?: { readonly command: string; readonly read: () => Promise<number> };
}

/** Returns the duration of a verification in percent of the reference, each at its best. */
async function compare(name: string, { place, read, hashed }: Reading, scene: Scene) {
  const bytes = await fill(place, scene);
  let [plain, reference, verified] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < scene.times(3); round += 1) {
    plain = Math.min(plain, await read());
    reference = hashed ? Math.min(reference, await hashed.read()) : plain;
    // the start of the program is not part of the reading
    const start = await verify(place, '--covers');
    verified = Math.min(verified, (await verify(place, '--store')) - start);
  }
  const rate = (ms: number) => `${Math.round(bytes / 1e3 / ms)} MB/s`;
  const percent = (of: number) => (verified / of) * 100;
  const more = hashed ? `, with ${hashed.command} ${rate(reference)}` : '';
  process.stderr.write(
    `scale: ${name}: ${Math.round(bytes / 1e6)} MB read with ${rate(plain)}${more}, verified with ${rate(verified)} (${Math.round(percent(plain))} % of the duration of plain reading)\n`,
  );
  return {
    what: `${name}: duration of verify compared with ${hashed?.command ?? 'plain reading'}`,
    value: percent(reference),
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

/**
 * Returns a function that reads all objects of a bucket with curl, one or four at a time. If `hash`
 * is given, only four at a time, with the command that it returns for a configuration of curl.
 */
function curlOf(
  address: BucketAddress,
  folder: string,
  hash?: (file: string) => string,
): () => Promise<number> {
  const options = ['silent', 'fail', 'globoff'];
  const output = hash ? [] : ['output = "/dev/null"'];
  return async () => {
    const urls = await urlsOf(address);
    const configure = async (name: string, some: readonly string[]) => {
      const file = join(folder, name);
      const lines = some.flatMap((url) => [`url = "${url}"`, ...output]);
      await writeFile(file, [...options, ...lines].join('\n'));
      return file;
    };
    if (hash) {
      const commands: string[] = [];
      for (let first = 0; first < parallel; first += 1) {
        const some = urls.filter((_, at) => at % parallel === first);
        commands.push(hash(await configure(`curl-${first}.conf`, some)));
      }
      return timed(() => Promise.all(commands.map((command) => run('sh', ['-c', command]))));
    }
    const all = ['--config', await configure('curl.conf', urls)];
    const oneByOne = await timed(() => run('curl', all));
    const more = ['--parallel', '--parallel-immediate', '--parallel-max', `${parallel}`];
    return Math.min(oneByOne, await timed(() => run('curl', [...more, ...all])));
  };
}

async function urlsOf(address: BucketAddress): Promise<string[]> {
  const bucket = new Bucket(address);
  const presentation = { type: 'application/octet-stream', disposition: 'attachment' };
  const urls: string[] = [];
  for await (const { key } of bucket.list('games/'))
    urls.push(await bucket.signedUrl(key, presentation));
  await bucket.close();
  if (urls.length === 0) throw new Error('the bucket has no objects');
  return urls;
}

/** Reads all archives of a data folder with cat, from the disk. */
async function readFiles(place: Place): Promise<number> {
  await evict(place);
  const files = await filesOf(place);
  return timed(() => run('sh', ['-c', 'cat "$@" > /dev/null', 'sh', ...files]));
}

/** Removes the archives of a data folder from the memory of the system. */
async function evict(place: Place): Promise<void> {
  for (const file of await filesOf(place)) {
    // dd(1): "of=FILE oflag=nocache conv=notrunc,fdatasync count=0" drops the cache of a file
    const how = ['oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'];
    await run('dd', ['if=/dev/null', `of=${file}`, ...how]);
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

function settingsOf(of: BucketAddress): Readonly<Record<string, string>> {
  return {
    CATALOG_FILES: `s3://${of.bucket}/${of.prefix}`,
    CATALOG_S3_ENDPOINT: of.endpoint,
    CATALOG_S3_ACCESS_KEY: of.accessKey,
    CATALOG_S3_SECRET_KEY: of.secretKey,
  };
}
