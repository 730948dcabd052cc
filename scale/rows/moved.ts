import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { startServer } from '../../measure/program.ts';
import { openUserClient, type UserClient } from '../../measure/user-client.ts';
import { startSwift, swiftSkipReason } from '../../test/support/s3/swift.ts';
import { DrawnBytes } from '../drawn-bytes.ts';
import { readKnown, serveBoth } from '../engines/both-engines.ts';
import { differencesOf } from '../engines/compare.ts';
import { type Known, randomPaths } from '../engines/random-paths.ts';
import { environmentOf, mainProgram, type Place, runOn } from '../pair.ts';
import { noneOf, type Row, type Scene } from '../row.ts';

const pieceBytes = 32 * 2 ** 20;
const covers = 1_000;
const archive = join('store', 'games', 'large.iso');

/**
 * Copies a catalogue with covers and an archive of 20 GB to a database server and an S3 store. Then
 * copies this catalogue to a new folder. Checks that responses and bytes are the same.
 */
export const moved: Row = {
  name: 'moved',
  skipReason: () => swiftSkipReason,
  async measure(scene) {
    const { folder, database } = scene;
    const size = scene.times(20) * 1e9;
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < size * 3.2)
      throw new Error(`${folder} has no room for ${size} bytes, three times`);
    const swift = await startSwift(folder);
    try {
      const { bucket, prefix, endpoint, accessKey, secretKey } = await swift.newBucket();
      const files = `s3://${bucket}/${prefix}`;
      const keys = {
        CATALOG_S3_ENDPOINT: endpoint,
        CATALOG_S3_ACCESS_KEY: accessKey,
        CATALOG_S3_SECRET_KEY: secretKey,
      };
      const source: Place = { data: join(folder, 'here'), database: '', more: keys };
      const remote: Place = {
        data: join(folder, 'there'),
        database,
        more: { ...keys, CATALOG_FILES: files },
      };
      const copiedBack: Place = { data: join(folder, 'back'), database: '' };
      const known = await fill(source, scene);
      const sentSha256 = await writeArchive(join(source.data, archive), size, scene.seed);
      await mkdir(remote.data);
      await reportCopy('there', () =>
        runOn(source, ['copy', '--to', database, '--files-to', files]),
      );
      const figures = await compareResponses('there', [source, remote], known, scene);
      await reportCopy('back', () =>
        runOn(remote, ['copy', '--to', copiedBack.data, '--files-to', copiedBack.data]),
      );
      const receivedSha256 = await sha256Of(join(copiedBack.data, archive));
      return [
        ...figures,
        ...(await compareResponses('back', [source, copiedBack], known, scene)),
        noneOf('archives with other bytes', receivedSha256 === sentSha256 ? 0 : 1, 1),
      ];
    } finally {
      await swift.stop();
    }
  },
};

/** Adds releases and covers. Returns the data from which paths are generated. */
async function fill(place: Place, { folder, dats, times }: Scene): Promise<Known> {
  const files =
    dats === undefined ? await generateDats(join(folder, 'dats'), [times(20_000)]) : [dats];
  await runOn(place, ['import', ...files]);
  const server = await startServer(place.data, [], mainProgram, environmentOf(place));
  try {
    const person = await openUserClient(server.url);
    await putCovers(person);
    return await readKnown(person);
  } finally {
    await server.stop();
  }
}

async function putCovers(person: UserClient): Promise<void> {
  for (let id = 1; id <= covers; id += 1) {
    const picture = new Uint8Array(500 + id);
    picture.set(Buffer.from('89504e470d0a1a0a', 'hex'));
    const { status } = await person.putCover(id, picture);
    if (status >= 300) throw new Error(`cover ${id}: answered ${status}`);
  }
}

/** Writes the archive. Returns the SHA-256 of its bytes. */
async function writeArchive(path: string, size: number, seed: number): Promise<string> {
  const bytes = new DrawnBytes(seed);
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  try {
    for (let at = 0; at < size; at += pieceBytes) {
      const piece = bytes.part(at, Math.min(pieceBytes, size - at));
      hash.update(piece);
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

async function compareResponses(
  where: string,
  places: readonly [Place, Place],
  known: Known,
  { folder, seed, times }: Scene,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const api of ['account', 'minimal'] as const) {
    const paths = randomPaths(api, known, seed, times(10_000));
    const { differences } = await serveBoth(places, { folder, api }, (servers) =>
      differencesOf(servers, paths),
    );
    for (const { path, statuses, texts } of differences.slice(0, 5)) {
      process.stderr.write(`scale: ${path}: ${statuses.join(' and ')}\n  ${texts.join('\n  ')}\n`);
    }
    figures.push(
      noneOf(`${where}, ${api} API: responses that differ`, differences.length, paths.length),
    );
  }
  return figures;
}

async function reportCopy(where: string, copy: () => Promise<string>): Promise<void> {
  const began = performance.now();
  await copy();
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stderr.write(`scale: moved ${where} in ${seconds} s\n`);
}
