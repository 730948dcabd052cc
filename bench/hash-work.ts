import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { median } from '../measure/median.ts';
import { hashImage } from '../src/disk/hash/hash-image.ts';
import { identifyFile } from '../src/disk/identify.ts';

/** A file for the catalog to hash, and the file that the reference reads. */
export interface HashWork {
  readonly path: string;
  readonly bare: string;
  /** Lengths of the deflated blocks in `bare`, in bytes; null if `bare` is the image itself. */
  readonly blockLengths: readonly number[] | null;
}

/** Speeds in MB of the image per CPU second. */
export interface HashSpeeds {
  readonly catalog: number;
  readonly bare: number;
}

const turns = 5;

process.on('message', async (work: HashWork) => {
  const identity = await identifyFile(work.path);
  const catalog: number[] = [];
  const bare: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    catalog.push(await speedOf(() => hashImage(work.path, identity)));
    bare.push(await speedOf(() => hashBare(work)));
  }
  process.send?.({ catalog: median(catalog), bare: median(bare) } satisfies HashSpeeds);
});

async function speedOf(hash: () => Promise<{ size: number }>): Promise<number> {
  const before = process.cpuUsage();
  const { size } = await hash();
  const { user, system } = process.cpuUsage(before);
  return size / (user + system);
}

async function hashBare({ bare, blockLengths: lengths }: HashWork): Promise<{ size: number }> {
  const md5 = createHash('md5');
  const sha1 = createHash('sha1');
  let sum = 0;
  let size = 0;
  for await (const piece of bytesOf(bare, lengths)) {
    sum = crc32(piece, sum);
    md5.update(piece);
    sha1.update(piece);
    size += piece.length;
  }
  md5.digest();
  sha1.digest();
  return { size };
}

async function* bytesOf(path: string, lengths: HashWork['blockLengths']): AsyncGenerator<Buffer> {
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
  if (lengths === null) yield* stream;
  else if (lengths.length === 1) yield* stream.pipe(createInflateRaw({ chunkSize: 256 * 1024 }));
  else yield* inflatedBlocks(readFileSync(path), lengths);
}

function* inflatedBlocks(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (const length of lengths) {
    yield inflateRawSync(bytes.subarray(at, at + length));
    at += length;
  }
}
