import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { LibrarySource, PackedContent, PlaceOptions } from '../../src/core/builds/ports.ts';
import { unpackArchive } from '../../src/disk/unpack/unpack-archive.ts';
import type { UnpackArchive } from '../../src/files/builds/unpacked-archive.ts';
import { UnpackingWriter } from '../../src/files/builds/unpacking-writer.ts';
import { ContentWriter } from '../../src/files/builds/write-content.ts';
import { archiveKinds } from '../support/images/archives.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { noise } from './packed-disc.ts';

const tracks = Array.from({ length: 30 }, (_, index) => noise(`${index}`, 30_000 + index));
const files = Object.fromEntries(
  tracks.map((bytes, index) => [`${String(index).padStart(2, '0')}.bin`, bytes]),
);
const no7z = toolsSkipReason('7z');
const noZip = toolsSkipReason('zip');
const noTar = toolsSkipReason('tar', 'gzip');
const options: PlaceOptions = {
  mode: 'copy',
  isVerified: false,
  signal: new AbortController().signal,
  onBytes() {},
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-unpack-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/**
 * Makes an archive of all tracks. Returns a writer, and a function `passes` that returns how often
 * the archive was unpacked.
 */
function unpacking(label: string, content?: Buffer) {
  const kind = archiveKinds.find((each) => each.label === label);
  const path = join(folder, 'made');
  const bytes = content ?? kind?.make(files, folder) ?? Buffer.alloc(0);
  writeFileSync(path, bytes);
  const { size, mtimeNs } = statSync(path, { bigint: true });
  const source: LibrarySource = {
    id: 1,
    root: folder,
    path,
    size: Number(size),
    mtimeNs,
    sha1: null,
  };
  let passes = 0;
  const unpack: UnpackArchive = (from, format) => {
    passes += 1;
    return unpackArchive(from, format);
  };
  const find = async () => ({ inode: statSync(path, { bigint: true }).ino });
  const writer = new UnpackingWriter(new ContentWriter(find, { hasReflinks: false }), unpack);
  onTestFinished(() => writer.close());
  const contentOf = (index: number, more: Partial<PackedContent['member']> = {}): PackedContent => {
    const track = tracks[index] ?? Buffer.alloc(0);
    const member = {
      ...{ format: kind?.container ?? '', index, name: `${index}.bin`, size: track.length },
      crc32: crc32(track).toString(16).padStart(8, '0'),
      sha1: createHash('sha1').update(track).digest('hex'),
      ...more,
    };
    return { from: 'archive', source, member, names: null };
  };
  return { path, bytes, writer, contentOf, passes: () => passes };
}

/** Writes tracks. Returns the error messages of the tracks that could not be written. */
async function writeAll(
  { writer, contentOf }: Pick<ReturnType<typeof unpacking>, 'writer' | 'contentOf'>,
  indexes: Iterable<number>,
  given = options,
): Promise<string[]> {
  const problems: string[] = [];
  for (const index of indexes) {
    const to = join(folder, `out ${index}`);
    await rm(to, { force: true });
    const written = writer.write(to, contentOf(index), given);
    await written.catch((error: Error) => problems.push(error.message));
  }
  return problems;
}

describe('the unpacking writer', () => {
  for (const label of ['7z, solid', 'RAR 5', 'zip', 'tar.gz', 'tar']) {
    const kind = archiveKinds.find((each) => each.label === label);
    const skipReason = toolsSkipReason(...(kind?.tools ?? []));
    test.skipIf(skipReason !== null)(
      `unpacks an archive of many tracks once: ${label} ${skipReason ?? ''}`,
      async () => {
        const one = unpacking(label);
        // Omit some tracks, like a build that already has them in the target.
        const wanted = [...tracks.keys()].filter((index) => index % 7 !== 3);
        expect(await writeAll(one, wanted, { ...options, isVerified: true })).toEqual([]);
        for (const index of wanted) {
          expect(readFileSync(join(folder, `out ${index}`)).equals(tracks[index] as Buffer)).toBe(
            true,
          );
        }
        expect(one.passes()).toBe(1);
        const compare = (index: number) =>
          one.writer.compare(join(folder, `out ${index}`), one.contentOf(index), options.signal);
        for (const index of wanted) await compare(index);
        expect(one.passes()).toBe(2);
        // After a difference, the same pass continues.
        writeFileSync(join(folder, 'out 0'), 'other');
        appendFileSync(join(folder, 'out 1'), 'more');
        await expect(compare(0)).rejects.toThrow(/^Its bytes differ from those of .*made: 0\.bin$/);
        await expect(compare(1)).rejects.toThrow('Its bytes differ');
        await compare(2);
        expect(one.passes()).toBe(3);
      },
    );
  }

  test('refuses bytes that differ from those that the last scan recorded', async () => {
    const one = unpacking('RAR 5');
    const wrong = async (more: Partial<PackedContent['member']>) => {
      const to = join(folder, `wrong ${JSON.stringify(more)}`);
      return one.writer.write(to, one.contentOf(4, more), options);
    };
    const other = 'its bytes are not those that the last scan found';
    await expect(wrong({ sha1: '0'.repeat(40) })).rejects.toThrow(other);
    await expect(wrong({ sha1: null, crc32: '00000000' })).rejects.toThrow(other);
    await expect(wrong({ size: 29_000 })).rejects.toThrow(other);
    await expect(wrong({ size: 50_000 })).rejects.toThrow(other);
    await expect(wrong({ index: 30 })).rejects.toThrow('fewer files than the last scan found');
    await one.writer.write(join(folder, 'right'), one.contentOf(4, { sha1: null }), options);
    await expect(wrong({ format: 'iso' })).rejects.toThrow('not an archive');
  });

  test.skipIf(no7z !== null)(
    `does not unpack a damaged solid archive again for each track ${no7z ?? ''}`,
    async () => {
      const intact = unpacking('7z, solid');
      const damaged = Buffer.from(intact.bytes);
      damaged.fill(0xff, damaged.length >> 1, (damaged.length >> 1) + 60_000);
      const one = unpacking('7z, solid', damaged);
      const problems = await writeAll(one, tracks.keys());
      expect(problems.length).toBeGreaterThan(5);
      expect(problems.length).toBeLessThan(28);
      expect(problems.at(-1)).toMatch(/made cannot be unpacked: .*damaged/);
      expect(one.passes()).toBeLessThanOrEqual(2);
      expect((await readdir(folder)).filter((name) => name === 'made')).toEqual(['made']);
    },
  );

  test.skipIf(noZip !== null)(
    `writes the other files of a zip if one of them is damaged ${noZip ?? ''}`,
    async () => {
      const { bytes } = unpacking('zip, stored');
      const damaged = Buffer.from(bytes);
      damaged.fill(
        0,
        damaged.indexOf(tracks[20] as Buffer) + 9,
        damaged.indexOf(tracks[20] as Buffer) + 99,
      );
      const one = unpacking('zip, stored', damaged);
      const problems = await writeAll(one, tracks.keys());
      expect(problems).toEqual([expect.stringMatching(/made: 20\.bin cannot be unpacked/)]);
    },
  );

  test('refuses an archive that changes while it is unpacked', async () => {
    const one = unpacking('RAR 5');
    const onBytes = () => utimesSync(one.path, 1, 1);
    const write = one.writer.write(join(folder, 'out'), one.contentOf(2), { ...options, onBytes });
    await expect(write).rejects.toThrow(/made was changed or removed since the last scan/);
    await expect(one.writer.write(join(folder, 'b'), one.contentOf(3), options)).rejects.toThrow(
      'since the last scan',
    );
    expect(one.passes()).toBe(1);
  });

  test.skipIf(no7z !== null)(
    `stops when it is aborted, and unpacks again for the next file ${no7z ?? ''}`,
    async () => {
      const one = unpacking('7z, solid');
      const stop = new AbortController();
      const signal = stop.signal;
      stop.abort(new Error('stopped'));
      const write = one.writer.write(join(folder, 'out'), one.contentOf(29), {
        ...options,
        signal,
      });
      await expect(write).rejects.toThrow('stopped');
      expect(await writeAll(one, [29, 0])).toEqual([]);
      expect(one.passes()).toBe(3); // track 0 precedes track 29, so it needs another pass
    },
  );

  test.skipIf(noTar !== null)(
    `does not unpack the bytes after the last file of a packed tar ${noTar ?? ''}`,
    async () => {
      const whole = gunzipSync(unpacking('tar.gz').bytes);
      const packed = gzipSync(Buffer.concat([whole, Buffer.alloc(64 * 2 ** 20)]));
      // The archive is truncated, so reading it to the end would fail.
      const path = unpacking('tar.gz', packed.subarray(0, -8)).path;
      let count = 0;
      for await (const { pieces } of unpackArchive(path, 'gz')) {
        for await (const _ of pieces);
        count += 1;
      }
      expect(count).toBe(30);
    },
  );
});
