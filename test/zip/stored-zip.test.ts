import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileToPack } from '../../src/core/library/ports.ts';
import type { OpenedFile } from '../../src/core/shared/files/file-area.ts';
import { storedZip } from '../../src/zip/stored-zip.ts';
import { type ZipEntry, zipEntries } from '../../src/zip/zip-entries.ts';
import { toolsSkipReason } from '../support/tools.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-zip-'));
});
afterAll(() => rm(folder, { recursive: true }));

const mtimeNs = BigInt(Date.UTC(2024, 4, 6, 7, 8, 10)) * 1_000_000n;

interface Content {
  readonly size: number;
  /** Fills a buffer with the bytes from `position` on. Returns their number. */
  fill(buffer: Uint8Array, position: number): number;
}

/** Counts the bytes that were read from files, and the files that are open. */
const used = { bytes: 0, open: 0 };

function packed(name: string, content: Content, more: Partial<FileToPack> = {}): FileToPack {
  const file = { name, size: content.size, mtimeNs, etag: `"${name}"`, crc32: null, ...more };
  const opened: OpenedFile = {
    ...file,
    async read(into, position) {
      const count = content.fill(into, position);
      used.bytes += count;
      return count;
    },
    head: async () => new Uint8Array(),
    stream: () => Readable.from([]),
    async close() {
      used.open -= 1;
    },
  };
  return {
    ...file,
    async open() {
      used.open += 1;
      return opened;
    },
  };
}

const bytesOf = (bytes: Buffer): Content => ({
  size: bytes.length,
  fill: (into, position) => bytes.copy(into, 0, position),
});
const zeros = (size: number): Content => ({
  size,
  fill: (into, position) => {
    const count = Math.min(into.byteLength, size - position);
    into.fill(0, 0, count);
    return count;
  },
});

const track = randomBytes(700_001);
const sheet = Buffer.from('FILE "Pokémon (Track 1).bin" BINARY\n');
const files = () => [
  packed('Pokémon.cue', bytesOf(sheet), { crc32: crc32(sheet) }),
  packed('Pokémon (Track 1).bin', bytesOf(track)),
  packed('empty.bin', bytesOf(Buffer.alloc(0))),
];

async function entriesOf(zip: OpenedFile): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  const { size } = zip;
  const read = async (offset: number, length: number) => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; ) at += await zip.read(bytes.subarray(at), offset + at);
    return bytes;
  };
  for await (const entry of zipEntries({ size, read })) entries.push(entry);
  await zip.close();
  return entries;
}

async function written(name: string): Promise<{ path: string; zip: OpenedFile; bytes: Buffer }> {
  const zip = storedZip(name, files());
  const bytes = await buffer(zip.stream());
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, zip, bytes };
}

const printByPython =
  'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';
const missing = (program: string, ...options: string[]) =>
  spawnSync(program, options).status === 0 ? null : `skipped: needs ${program}`;
const tools = [
  {
    program: 'unzip',
    skipReason: missing('unzip', '-v'),
    unpack: (path: string, into: string) => ['-q', path, '-d', into],
    print: (path: string, name: string) => ['-p', path, name],
  },
  {
    program: '7z',
    skipReason: toolsSkipReason('7z'),
    unpack: (path: string, into: string) => ['x', '-bd', path, `-o${into}`],
    print: (path: string, name: string) => ['x', '-so', path, name],
  },
  {
    program: 'python3',
    skipReason: missing('python3', '-c', 'import zipfile'),
    unpack: (path: string, into: string) => ['-m', 'zipfile', '-e', path, into],
    print: (path: string, name: string) => ['-c', printByPython, path, name],
  },
] as const;

describe('a zip of stored files', () => {
  test('has the size that was announced, and leaves no file open', async () => {
    const { zip, bytes } = await written('size.zip');
    expect([bytes.length, used.open]).toEqual([zip.size, 0]);
    expect(bytes.length).toBeGreaterThan(track.length + sheet.length);
    expect(zip.mtimeNs).toBe(mtimeNs);
  });

  for (const { program, skipReason, unpack } of tools) {
    test.skipIf(skipReason !== null)(`is unpacked by ${program} ${skipReason ?? ''}`, async () => {
      const { path } = await written(`${program}.zip`);
      const into = join(folder, program);
      execFileSync(program, unpack(path, into));
      expect((await readFile(join(into, 'Pokémon (Track 1).bin'))).equals(track)).toBe(true);
      expect((await readFile(join(into, 'Pokémon.cue'))).equals(sheet)).toBe(true);
      expect(await readFile(join(into, 'empty.bin'))).toHaveLength(0);
    });
  }

  test('has the same bytes from whatever position it is read', async () => {
    const { bytes } = await written('pieces.zip');
    const { size } = storedZip('x', files());
    const starts = [0, 1, 29, 60, sheet.length + 60, 350_000, size - 200, size - 22, size - 1];
    for (const start of starts) {
      const zip = storedZip('x', files());
      const part = await buffer(zip.stream({ start, end: size - 1 }));
      expect([start, part.equals(bytes.subarray(start))]).toEqual([start, true]);
    }
    const zip = storedZip('x', files());
    expect(Buffer.from(await zip.head(40)).equals(bytes.subarray(0, 40))).toBe(true);
    expect(await zip.read(Buffer.alloc(1), size)).toBe(0);
    await zip.close();
    expect(used.open).toBe(0);
  });

  test('reads no file to write its directory if the checksums are known', async () => {
    const known = packed('a.bin', bytesOf(track), { crc32: crc32(track) });
    const zip = storedZip('x', [known]);
    used.bytes = 0;
    const [entry] = await entriesOf(zip);
    expect(entry).toMatchObject({ crc32: crc32(track), size: track.length, method: 0 });
    // A reader of zips looks for the directory in the last bytes.
    expect(used.bytes).toBeLessThan(10_000);
  });

  test('has an ETag that depends on names, versions and known checksums alone', () => {
    const [one, two] = files();
    if (one === undefined || two === undefined) throw new Error('there are no files');
    const tag = (...some: FileToPack[]) => storedZip('x', some).etag;
    expect(tag(one, two)).toBe(tag(...files().slice(0, 2)));
    const others = [
      tag(one),
      tag({ ...one, name: 'b' }, two),
      tag({ ...one, etag: '"2"' }, two),
      tag({ ...one, crc32: null }, two),
    ];
    expect(new Set([tag(one, two), ...others]).size).toBe(5);
  });

  test('fails if a file has changed or is gone', async () => {
    const [sheetFile, changing] = files();
    if (sheetFile === undefined || changing === undefined) throw new Error('there are no files');
    const other = packed('Pokémon (Track 1).bin', bytesOf(track), { etag: '"2"' });
    for (const open of [other.open, async () => null]) {
      const zip = storedZip('x', [sheetFile, { ...changing, open }]);
      await expect(buffer(zip.stream())).rejects.toThrow('changed while it was read');
      expect(used.open).toBe(0);
    }
  });

  test('stops reading once it is closed', async () => {
    const zip = storedZip('x', [packed('a.bin', zeros(2 ** 40))]);
    const reading = zip.read(Buffer.alloc(10), zip.size - 1);
    const failed = expect(reading).rejects.toThrow();
    await zip.read(Buffer.alloc(10), 0);
    await zip.close();
    await failed;
    expect(used.open).toBe(0);
  });

  test('uses zip64 for large files, far offsets and many files', async () => {
    const large = 5 * 2 ** 30;
    const zip = storedZip('x', [
      packed('large.bin', zeros(large), { crc32: 1 }),
      packed('small.bin', bytesOf(sheet), { crc32: crc32(sheet) }),
    ]);
    const entries = await entriesOf(zip);
    expect(entries.map(({ size, headerOffset }) => [size, headerOffset > large])).toEqual([
      [large, false],
      [sheet.length, true],
    ]);
    const many = Array.from({ length: 70_000 }, (_, at) =>
      packed(`${at}`, bytesOf(sheet), { crc32: 2 }),
    );
    expect(await entriesOf(storedZip('x', many))).toHaveLength(70_000);
  });

  for (const { program, skipReason, print } of tools) {
    test.skipIf(skipReason !== null)(
      `is unpacked by ${program} beyond 4 GiB ${skipReason ?? ''}`,
      async () => {
        const large = 5 * 2 ** 30;
        const zip = storedZip('x', [
          packed('large.bin', zeros(large), { crc32: 1 }),
          packed('small.bin', bytesOf(sheet), { crc32: crc32(sheet) }),
        ]);
        const path = join(folder, `large-${program}.zip`);
        const sparse = await open(path, 'w');
        const start = Buffer.alloc(200);
        await sparse.write(start, 0, await zip.read(start, 0), 0);
        for (let at = large; at < zip.size; ) {
          const piece = Buffer.alloc(4096);
          const count = await zip.read(piece, at);
          await sparse.write(piece, 0, count, at);
          at += count;
        }
        await sparse.close();
        await zip.close();
        expect(execFileSync(program, print(path, 'small.bin')).equals(sheet)).toBe(true);
        await rm(path);
      },
    );
  }
});
