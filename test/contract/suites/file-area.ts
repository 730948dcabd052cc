import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { FileArea, OpenedFile, StoredFile } from '../../../src/core/shared/files/file-area.ts';
import { FileSums } from '../../../src/core/verify/file-sums.ts';

/** Yields the bytes in chunks of at most `size` bytes, like an upload. */
export async function* chunks(bytes: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function store(area: FileArea, name: string, content: Uint8Array | string) {
  const staged = await area.stage(chunks(Buffer.from(content)));
  return staged.publish(name);
}

export async function listed(area: FileArea): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const file of area.list()) files.push(file);
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function named(area: FileArea): Promise<string[]> {
  const names: string[] = [];
  for await (const name of area.names()) names.push(name);
  return names.sort();
}

export async function open(area: FileArea, name: string): Promise<OpenedFile> {
  const file = await area.open(name);
  if (file === null) throw new Error(`${name} is not there`);
  return file;
}

export const read = async (area: FileArea, name: string) =>
  buffer((await open(area, name)).stream());

const NO_NAMES = [
  '',
  '.',
  '..',
  'a/b',
  '../a',
  '/a',
  'a\\b',
  'a\0',
  'x'.repeat(256),
  'ü'.repeat(128),
];
const NAMES = [
  'plain.iso',
  '...',
  '-rf',
  ' spaces ',
  'CON',
  'a\nb',
  'q"uote.zip',
  'ä'.normalize('NFC'),
  'ä'.normalize('NFD'),
  'Case',
  'case',
  'x'.repeat(255),
  '%2e%2e',
];

/** Contract of every `FileArea` adapter. `create` returns an area that does not exist yet. */
export function fileAreaContract(create: () => Promise<FileArea>): void {
  describe('an area that does not exist', () => {
    test('has no files', async () => {
      const area = await create();
      expect(await listed(area)).toEqual([]);
      expect(await named(area)).toEqual([]);
      expect(await area.version()).toBeNull();
      expect(await area.find('a')).toBeNull();
      expect(await area.open('a')).toBeNull();
      expect(await area.remove('a')).toBe(false);
      expect(await area.countTree()).toBe(0);
    });
  });

  test('changes its version only when a name is added, replaced or removed', async () => {
    const area = await create();
    const versions = new Set([await area.version()]);
    for (const change of [
      () => store(area, 'a', '1'),
      () => store(area, 'a', '2'),
      () => store(area, 'b', '3'),
      () => area.remove('a'),
    ]) {
      await change();
      versions.add(await area.version());
      expect(await area.version()).toBe([...versions].at(-1));
      await new Promise((resolve) => setTimeout(resolve, 20)); // the file system's clock
    }
    expect(versions.size).toBe(5);
    expect(await named(area)).toEqual(['b']);
  });

  describe('an area in use', () => {
    test('stores bytes unchanged, and returns their size and hash', async () => {
      const area = await create();
      const bytes = randomBytes(1_000_003);
      const staged = await area.stage(chunks(bytes, 777));
      expect(staged.size).toBe(bytes.length);
      expect(staged.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(await listed(area)).toEqual([]);
      const stored = await staged.publish('a.bin');
      expect(stored).toMatchObject({ name: 'a.bin', size: bytes.length });
      expect(await area.find('a.bin')).toEqual(stored);
      expect(await listed(area)).toEqual([stored]);
      expect(await read(area, 'a.bin')).toEqual(bytes);
      expect(await area.countTree()).toBe(1);
    });

    test('stores an empty file', async () => {
      const area = await create();
      expect(await store(area, 'empty', '')).toMatchObject({ size: 0 });
      expect(await read(area, 'empty')).toHaveLength(0);
    });

    test.each(NAMES)('stores the name %j unchanged', async (name) => {
      const area = await create();
      await store(area, name, 'x');
      expect((await listed(area)).map((file) => file.name)).toEqual([name]);
      expect(await area.find(name)).toMatchObject({ name });
      expect(await area.remove(name)).toBe(true);
      expect(await listed(area)).toEqual([]);
    });

    test('stores files with similar names separately', async () => {
      const area = await create();
      for (const name of NAMES) await store(area, name, name);
      for (const name of NAMES) expect((await read(area, name)).toString()).toBe(name);
      expect(await area.countTree()).toBe(NAMES.length);
    });

    test.each(NO_NAMES)(
      'refuses to find, open, remove or store the invalid name %j',
      async (name) => {
        const area = await create();
        await store(area, 'a', 'x');
        expect(await area.find(name)).toBeNull();
        expect(await area.open(name)).toBeNull();
        expect(await area.remove(name)).toBe(false);
        await expect(store(area, name, 'x')).rejects.toThrow('invalid filename');
        expect(await area.countTree()).toBe(1);
      },
    );

    test('leaves nothing of a discarded or failed upload', async () => {
      const area = await create();
      await (await area.stage(chunks(Buffer.from('x')))).discard();
      const failure = new Error('the source failed');
      async function* failing() {
        yield Buffer.from('x');
        throw failure;
      }
      await expect(area.stage(failing())).rejects.toBe(failure);
      expect(await listed(area)).toEqual([]);
    });

    test('stores one complete version when many writers store the same name', async () => {
      const area = await create();
      const versions = Array.from({ length: 20 }, (_, i) => Buffer.alloc(300_000, i));
      await Promise.all(versions.map((version) => store(area, 'a', version)));
      const final = await read(area, 'a');
      expect(versions.some((version) => version.equals(final))).toBe(true);
      expect(await area.countTree()).toBe(1);
    });
  });

  describe('a retained version of a file', () => {
    test('is restored over a newer version, whose bytes can be published again', async () => {
      const area = await create();
      const old = await store(area, 'a', 'old');
      const retained = await area.retain('a');
      const staged = await area.stage(chunks(Buffer.from('new')));
      await staged.publish('a');
      await staged.takeBack();
      await retained.restore();
      expect(await listed(area)).toEqual([old]);
      await staged.publish('b');
      expect((await read(area, 'b')).toString()).toBe('new');
    });

    test('is restored after a removal, and also without any change', async () => {
      const area = await create();
      const old = await store(area, 'a', 'old');
      for (const change of [() => area.remove('a'), async () => {}]) {
        const retained = await area.retain('a');
        await change();
        await retained.restore();
        expect(await listed(area)).toEqual([old]);
      }
    });

    test('removes a new file of its name if there was none before', async () => {
      const area = await create();
      for (const name of ['a', ...NO_NAMES]) {
        const retained = await area.retain(name);
        await store(area, name, 'new').catch(() => undefined);
        await retained.restore();
        expect(await listed(area)).toEqual([]);
      }
    });

    test('is released without a change of the newer version', async () => {
      const area = await create();
      await store(area, 'a', 'old');
      const retained = await area.retain('a');
      const stored = await store(area, 'a', 'new');
      await retained.release();
      expect(await listed(area)).toEqual([stored]);
    });
  });

  describe('an opened file', () => {
    test('returns any range of its bytes', async () => {
      const area = await create();
      const bytes = randomBytes(200_000);
      await store(area, 'a', bytes);
      for (const [start, end] of [
        [0, 0],
        [1, 70_000],
        [65_536, 131_071],
        [199_999, 199_999],
      ] as const) {
        const part = await buffer((await open(area, 'a')).stream({ start, end }));
        expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    test('stays complete when it is overwritten and removed', async () => {
      const area = await create();
      const bytes = randomBytes(500_000);
      const first = await store(area, 'a', bytes);
      const opened = await open(area, 'a');
      const second = await store(area, 'a', randomBytes(500_000));
      await area.remove('a');
      expect(opened.etag).toBe(first.etag);
      expect(second.etag).not.toBe(first.etag);
      expect((await buffer(opened.stream())).equals(bytes)).toBe(true);
    });

    test('hashes its bytes, and reports each of them', async () => {
      const area = await create();
      for (const size of [0, 1, 700_000, 3_000_001]) {
        const bytes = randomBytes(size);
        await store(area, 'a', bytes);
        const file = await open(area, 'a');
        let count = 0;
        const hash = await new FileSums(1).sumOf(file, countBytes, new AbortController().signal);
        expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
        expect(count).toBe(size);
        await file.close();

        function countBytes(more: number): undefined {
          count += more;
        }
      }
    });

    test('can be closed repeatedly, before and after it is streamed', async () => {
      const area = await create();
      await store(area, 'a', 'text');
      const unread = await open(area, 'a');
      await unread.close();
      await unread.close();
      const streamed = await open(area, 'a');
      const stream = streamed.stream();
      await streamed.close();
      expect((await buffer(stream)).toString()).toBe('text');
    });
  });

  test('gives different tags and increasing times to versions stored in succession', async () => {
    const area = await create();
    const versions: StoredFile[] = [];
    for (let i = 0; i < 30; i++) versions.push(await store(area, 'a', `${i % 10}`));
    expect(new Set(versions.map((file) => file.etag)).size).toBe(30);
    expect(versions.map((file) => file.mtimeNs)).toEqual(
      versions.map((file) => file.mtimeNs).sort((a, b) => (a < b ? -1 : 1)),
    );
    for (const { etag } of versions) expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  });

  test('lists a thousand files', async () => {
    const area = await create();
    const names = Array.from({ length: 1_000 }, (_, i) => `file ${i}`);
    for (let at = 0; at < names.length; at += 50) {
      await Promise.all(names.slice(at, at + 50).map((name) => store(area, name, name)));
    }
    expect((await listed(area)).map((file) => file.name)).toEqual(names.sort());
  });
}
