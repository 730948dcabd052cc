import { describe, expect, test } from 'vitest';
import { tarFiles } from '../../../src/disk/containers/archives/tar.ts';

const block = 512;

/** Returns the header of a tar's member, followed by its content in whole blocks (POSIX ustar). */
function member(type: string, name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((before, byte) => before + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0`, 148);
  const padding = Buffer.alloc(-content.length & (block - 1));
  return Buffer.concat([header, content, padding]);
}

/** Returns a pax record. It starts with its own length in bytes. */
function record(name: string, value: string): string {
  const rest = Buffer.byteLength(` ${name}=${value}\n`);
  let length = rest + 1;
  while (String(length).length + rest > length) length += 1;
  return `${length} ${name}=${value}\n`;
}

async function namesIn(fields: string): Promise<string[]> {
  const tar = Buffer.concat([
    member('x', 'fields', Buffer.from(fields)),
    member('0', 'short', Buffer.from('x')),
    Buffer.alloc(2 * block),
  ]);
  const names: string[] = [];
  const read = async (at: number, length: number) => tar.subarray(at, at + length);
  for await (const { name, size } of tarFiles({ size: tar.length, read })) {
    expect(size).toBe(1);
    names.push(name);
  }
  return names;
}

describe('the tar reader', () => {
  test.each([
    'a/long name.bin',
    'two\nlines.bin',
    'one\n23 path=another name\n9 size=7\n',
    'a=b.bin',
    'Pokémon\n大神.bin',
  ])('reads the name %j from a pax header', async (name) => {
    expect(await namesIn(record('mtime', '1.5') + record('path', name))).toEqual([name]);
  });

  test('uses the last of several names in a pax header', async () => {
    expect(await namesIn(record('path', 'first') + record('path', 'last'))).toEqual(['last']);
  });

  test.each([
    '',
    '99 path=beyond the end\n',
    'path=no length\n',
    '0 path=x\n',
    '12 path=x y\u0000',
  ])('uses the name in the tar header if the pax record %j is damaged', async (fields) => {
    expect(await namesIn(fields)).toEqual(['short']);
  });
});
