import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { refused } from '../../src/core/shared/errors.ts';
import { readZipEntry, unreadableReason } from '../../src/zip/read-entry.ts';
import { MAX_BYTES_PER_READ, type ZipBytes } from '../../src/zip/zip-bytes.ts';
import { type ZipEntry, zipEntries } from '../../src/zip/zip-entries.ts';
import { type Member, zipOf } from '../imports/support/zip-file.ts';

/** Returns a zip in memory. Each read is checked and counted. `before` can make a read fail. */
function bytesOf(zip: Buffer, before: (read: number) => void = () => undefined) {
  const bytes: ZipBytes & { reads: number; length: number } = {
    size: zip.length,
    reads: 0,
    length: 0,
    async read(offset, length) {
      bytes.reads += 1;
      bytes.length += length;
      before(bytes.reads);
      expect(length).toBeLessThanOrEqual(MAX_BYTES_PER_READ);
      if (offset + length > zip.length) throw refused('behind the end');
      return zip.subarray(offset, offset + length);
    },
  };
  return bytes;
}

async function entriesOf(bytes: ZipBytes): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for await (const entry of zipEntries(bytes)) entries.push(entry);
  return entries;
}

async function readFirst(zip: Buffer): Promise<Buffer> {
  const bytes = bytesOf(zip);
  const [entry] = await entriesOf(bytes);
  const pieces: Buffer[] = [];
  for await (const piece of readZipEntry(bytes, entry as ZipEntry)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const content = Buffer.concat([randomBytes(700_000), Buffer.alloc(900_000, 'repeats ')]);
const forms = [{ isStored: true }, { isStored: false }];

describe('zipEntries', () => {
  test('lists the entries in directory order, without folders', async () => {
    const zip = zipOf([
      { name: 'b/', content: '' },
      { name: 'b/ü.iso', content, isStored: true },
      { name: 'a\\c.iso', content: 'hello' },
    ]);
    expect(await entriesOf(bytesOf(zip))).toMatchObject([
      { name: 'b/ü.iso', size: content.length, packedSize: content.length, method: 0 },
      { name: 'a/c.iso', size: 5, crc32: 0x3610a686, method: 8, isEncrypted: false },
    ]);
    expect(await entriesOf(bytesOf(zipOf([])))).toEqual([]);
  });

  test('truncates a long name to 1,024 characters', async () => {
    const zip = zipOf([{ name: `../${'x'.repeat(5000)}`, content: '' }]);
    const [entry] = await entriesOf(bytesOf(zip));
    expect(entry?.name).toBe(`../${'x'.repeat(1021)}`);
  });

  test('reads a directory in large pieces, and only as far as the caller iterates', async () => {
    const zip = zipOf(Array.from({ length: 5_000 }, (_, i) => ({ name: `${i}`, content: '' })));
    const bytes = bytesOf(zip);
    expect(await entriesOf(bytes)).toHaveLength(5_000);
    expect(bytes.reads).toBeLessThan(12);
    const some = bytesOf(zip);
    for await (const entry of zipEntries(some)) if (entry.name === '3') break;
    expect(some.reads).toBeLessThan(4);
  });

  test('reads only the last 4 KiB of a small zip, or more if there is a comment', async () => {
    const zip = zipOf([{ name: 'a', content: randomBytes(200_000) }]);
    const small = bytesOf(zip);
    expect(await entriesOf(small)).toMatchObject([{ name: 'a', size: 200_000 }]);
    expect(small.length).toBe(4096);
    // The end of the first comment looks like an end record but is too short.
    for (const comment of ['short PK\x05\x06 at the end', 'x'.repeat(60_000)]) {
      const commented = Buffer.concat([zip, Buffer.from(comment)]);
      commented.writeUInt16LE(comment.length, zip.length - 2);
      expect(await entriesOf(bytesOf(commented))).toMatchObject([{ name: 'a', size: 200_000 }]);
    }
    const short = bytesOf(zipOf([{ name: 'a', content: 'short' }]));
    expect(await entriesOf(short)).toMatchObject([{ name: 'a', size: 5 }]);
    expect(short.reads).toBe(1);
  });

  test.each([
    ['truncated', zipOf([{ name: 'a', content }]).subarray(0, -10)],
    ['no zip', Buffer.from('PK\x03\x04')],
    ['empty', Buffer.alloc(0)],
  ])('refuses an unreadable directory: %s', async (_, zip) => {
    await expect(entriesOf(bytesOf(zip))).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/^the zip cannot be read: /),
    });
  });

  test('refuses a directory longer than 64 MiB', async () => {
    const entry = Buffer.alloc(46 + 1 + 65_535);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt16LE(1, 28);
    entry.writeUInt16LE(65_535, 32);
    entry.write('a', 46);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    end.writeUInt16LE(60_000, 10);
    // Every read returns the same entry repeatedly, as if the file had 4 GB.
    const entries = 60_000 * entry.length;
    const bytes: ZipBytes = {
      size: entries + end.length,
      async read(offset, length) {
        const read = Buffer.alloc(length);
        for (let at = 0; at < length; ) {
          const place = offset + at;
          const part = place < entries ? entry : end;
          at += part.copy(read, at, place < entries ? place % entry.length : place - entries);
        }
        return read;
      },
    };
    let count = 0;
    const reading = (async () => {
      for await (const { name } of zipEntries(bytes)) count += name.length;
    })();
    await expect(reading).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/directory is longer than 67108864 bytes/),
    });
    expect(count).toBe(Math.floor(67_108_864 / entry.length));
  });
});

describe.each(forms)('readZipEntry, %o', (form) => {
  const member: Member = { name: 'a', content, ...form };

  test('yields the whole content', async () => {
    expect((await readFirst(zipOf([member]))).equals(content)).toBe(true);
    expect(await readFirst(zipOf([{ ...member, content: '' }]))).toHaveLength(0);
  });

  test('checks the content against the CRC-32 of the directory', async () => {
    const zip = zipOf([{ ...member, stated: { crc: 1 } }]);
    await expect(readFirst(zip)).rejects.toMatchObject({
      kind: 'refused',
      message: 'it is damaged: its checksum (CRC-32) does not match',
    });
    const damaged = zipOf([member]);
    damaged[400_000] = (damaged[400_000] ?? 0) ^ 1;
    await expect(readFirst(damaged)).rejects.toMatchObject({ kind: 'refused' });
  });

  test('never yields more bytes than the directory declares', async () => {
    const bytes = bytesOf(zipOf([{ ...member, stated: { size: 1_000_000 } }]));
    const [entry] = await entriesOf(bytes);
    let got = 0;
    const reading = (async () => {
      for await (const piece of readZipEntry(bytes, entry as ZipEntry)) got += piece.length;
    })();
    await expect(reading).rejects.toThrow('it holds more bytes than it says');
    expect(got).toBeLessThanOrEqual(1_000_000);
  });

  test('refuses content that is shorter than the directory declares', async () => {
    const zip = zipOf([{ ...member, stated: { size: 2_000_000 } }]);
    await expect(readFirst(zip)).rejects.toThrow('it holds fewer bytes than it says');
  });

  test('refuses content that extends beyond the end of the zip', async () => {
    const zip = zipOf([{ ...member, stated: { packed: 2 ** 31 } }]);
    await expect(readFirst(zip)).rejects.toThrow('it ends behind the zip');
  });

  test('allows the caller to stop in the middle', async () => {
    const bytes = bytesOf(zipOf([member]));
    const [entry] = await entriesOf(bytes);
    for await (const piece of readZipEntry(bytes, entry as ZipEntry)) {
      expect(content.subarray(0, piece.length).equals(piece)).toBe(true);
      break;
    }
  });
});

describe('the zip reader', () => {
  test('refuses deflated data that is invalid or truncated', async () => {
    const noise = { name: 'a', isPacked: true, stated: { size: 5 } };
    for (const packed of [Buffer.alloc(50, 0xff), deflateRawSync(content).subarray(0, 5000)]) {
      await expect(readFirst(zipOf([{ ...noise, content: packed }]))).rejects.toMatchObject({
        kind: 'refused',
      });
    }
  });

  test('refuses encrypted files, and names unknown compression methods as unreadable', async () => {
    const zip = zipOf([
      { name: 'a', content, stated: { flags: 1 } },
      { name: 'b', content, stated: { method: 14 } },
      { name: 'c', content },
    ]);
    const [a, b, c] = (await entriesOf(bytesOf(zip))).map(unreadableReason);
    expect([a, b, c]).toEqual([
      'it is encrypted: unpack it first',
      'its compression (method 14) is not known: unpack it first',
      null,
    ]);
    await expect(readFirst(zip)).rejects.toThrow('it is encrypted');
  });
});

describe('the zip reader on a failing disk', () => {
  const failure = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5 });
  const failAt = (fatal: number) => (read: number) => {
    if (read >= fatal) throw failure;
  };

  test('passes on the disk error while it reads the directory', async () => {
    const zip = zipOf(Array.from({ length: 5_000 }, (_, i) => ({ name: `${i}`, content: '' })));
    await expect(entriesOf(bytesOf(zip, failAt(1)))).rejects.toBe(failure);
    await expect(entriesOf(bytesOf(zip, failAt(2)))).rejects.toBe(failure);
  });

  test.each(forms)('passes on the disk error while it reads the content, %o', async (form) => {
    const zip = zipOf([{ name: 'a', content, ...form }]);
    const [entry] = await entriesOf(bytesOf(zip));
    const reading = (async () => {
      let size = 0;
      for await (const piece of readZipEntry(bytesOf(zip, failAt(3)), entry as ZipEntry)) {
        size += piece.length;
      }
      return size;
    })();
    await expect(reading).rejects.toBe(failure);
  });
});
