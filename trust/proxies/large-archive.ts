import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Count } from './count.ts';
import type { Site } from './site.ts';

const MIB = 1024 ** 2;
const archiveMib = 700;
const slowReaders = 8;
const slowSeconds = 4;

/**
 * Uploads and downloads a large archive. One download is interrupted and resumed, and other
 * downloads are read slowly.
 */
export async function transferArchive(
  { curl, url, proxy, folder }: Site,
  { archive, sha256 }: { archive: string; sha256: string },
  count: Count,
): Promise<void> {
  const secure = ['--header', `Origin: ${proxy.origin}`];
  const stored = await curl.request(
    `${url}/api/store/upload`,
    ...[...secure, '--header', 'Expect:', '--form', `file=@${archive};filename=large.bin`],
  );
  count.countResponse('an upload of 700 MiB', stored.status === 200);
  const list = await curl.request(`${url}/api/store?include=sha256`);
  const { items = [] } = JSON.parse(list.body || '{}') as { items?: { sha256: string }[] };
  count.countBody('the upload', items[0]?.sha256 === sha256);

  const archiveUrl = `${url}/api/store/download/games/large.bin`;
  const copy = join(folder, 'copy.bin');
  await curl.request(archiveUrl, '--output', copy, '--limit-rate', '200M', '--max-time', '1');
  const receivedBytes = await sizeOf(copy);
  count.countResponse(
    'an interrupted download',
    receivedBytes > 0 && receivedBytes < archiveMib * MIB,
  );
  const rest = await curl.request(archiveUrl, '--output', copy, '--continue-at', '-');
  count.countResponse('a resumed download', rest.status === 206);
  count.countBody('the download', (await sha256Of(copy)) === sha256);

  const slow = Array.from({ length: slowReaders }, async (_, i) => {
    const file = join(folder, `slow-${i}.bin`);
    const pace = ['--limit-rate', '2M', '--max-time', String(slowSeconds)];
    const { status } = await curl.request(archiveUrl, '--output', file, ...pace);
    const size = await sizeOf(file);
    count.countResponse('a slow download', status === 200 && size > slowSeconds * MIB);
    count.countBody('a slow download', (await sha256Of(file)) === (await sha256Of(archive, size)));
  });
  await Promise.all(slow);
}

/**
 * Writes a file of random bytes, so that lost or swapped parts are detectable. Returns the SHA-256
 * of the bytes.
 */
export async function makeArchive(file: string): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(4 * MIB);
  const handle = await open(file, 'w');
  try {
    for (let at = 0; at < archiveMib * MIB; at += piece.length) {
      randomFillSync(piece);
      hash.update(piece);
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

/** Returns the SHA-256 of the first `size` bytes of a file, or of the whole file without `size`. */
async function sha256Of(file: string, size?: number): Promise<string> {
  if (size === 0 || (await sizeOf(file)) === 0) return '';
  const hash = createHash('sha256');
  const stream = createReadStream(file, size === undefined ? {} : { end: size - 1 });
  for await (const piece of stream) hash.update(piece);
  return hash.digest('hex');
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
