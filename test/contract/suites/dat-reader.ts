import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DatHeader, DatRefused, type DatRow } from '../../../src/core/imports/dat.ts';
import type { DatReader } from '../../../src/core/imports/ports.ts';
import { clrmamepro, game, xml } from '../../imports/support/dat-text.ts';

/** Contract of every `DatReader` adapter, for all formats. */
export function datReaderContract(readDat: DatReader): void {
  const rows = [game('Ōkami & "Sons" (Europe)', 'a'), game("100% It's", 'b', { serial: 'X-1' })];

  async function read(source: string | AsyncIterable<Uint8Array>) {
    const headers: DatHeader[] = [];
    const read: DatRow[] = [];
    const bytes = typeof source === 'string' ? piecesOf(Buffer.from(source), 7) : source;
    const sink = { header: (h: DatHeader) => headers.push(h), row: (r: DatRow) => read.push(r) };
    return { ...(await readDat(bytes, sink)), headers, rows: read };
  }

  test.each([
    ['XML', xml(rows, 'P', '2')],
    ['clrmamepro', clrmamepro(rows, 'P', '2')],
  ])('reads header, ordered rows, size and hash from %s', async (_format, text) => {
    const { headers, rows: found, sha256, size } = await read(text);
    expect(headers).toMatchObject([{ name: 'P', version: '2' }]);
    expect(found.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
    expect(found.map(({ roms }) => roms.length)).toEqual([1, 1]);
    expect(found[0]?.roms[0]).toMatchObject({ crc32: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(found.every(({ line }, i) => line > (found[i - 1]?.line ?? 0))).toBe(true);
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(size).toBe(Buffer.byteLength(text));
  });

  test.each([
    ['an empty text', ''],
    ['a text that is not a DAT', 'Nothing to see'],
    ['binary bytes', '\0\u0001\u0002'],
    ['a truncated DAT', xml(rows).slice(0, -20)],
  ])('refuses content with the line and a reason: %s', async (_what, text) => {
    const refusal = await read(text).catch((error: unknown) => error);
    if (!(refusal instanceof DatRefused)) throw refusal;
    expect(refusal.line).toBeGreaterThan(0);
    expect(refusal.reason).not.toBe('');
  });

  test('rethrows errors of its input and of its sink', async () => {
    const failure = new Error('the disk is gone');
    async function* failing() {
      yield Buffer.from(xml(rows).slice(0, 50));
      throw failure;
    }
    await expect(read(failing())).rejects.toBe(failure);
    const sink = {
      header() {
        throw failure;
      },
      row() {},
    };
    await expect(readDat(piecesOf(Buffer.from(xml(rows)), 100), sink)).rejects.toBe(failure);
  });
}

async function* piecesOf(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
