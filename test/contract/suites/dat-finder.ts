import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DatFinder, ImportFile } from '../../../src/core/imports/ports.ts';
import { game, xml } from '../../imports/support/dat-text.ts';
import { zipOf } from '../../imports/support/zip-file.ts';

/** Contract of every `DatFinder` adapter that finds files on this machine. */
export function datFinderContract(findDats: DatFinder): void {
  const dat = (name: string) => xml([game(name, name)], name);

  function useFolder(files: Readonly<Record<string, string | Buffer>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-dats-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return folder;
  }

  test('returns a file with its size and bytes, which can be read repeatedly', async () => {
    const folder = useFolder({ 'a.dat': dat('A') });
    const path = join(folder, 'a.dat');
    const [file, ...others] = await findDats([path]);
    expect(others).toEqual([]);
    expect(file).toMatchObject({ path, size: Buffer.byteLength(dat('A')) });
    for (const _time of [1, 2]) expect(await textOf(file)).toBe(dat('A'));
  });

  test('returns files in folders and zips in the order of the paths, then by name', async () => {
    const zip = zipOf([
      { name: 'z/2.dat', content: dat('Z2') },
      { name: 'readme.txt', content: 'Read me' },
    ]);
    const folder = useFolder({
      'b/2.dat': dat('2'),
      'b/1.dat': dat('1'),
      'b/notes.txt': 'none',
      'a.zip': zip,
    });
    const found = await findDats([join(folder, 'b'), join(folder, 'a.zip')]);
    expect(await Promise.all(found.map(textOf))).toEqual([dat('1'), dat('2'), dat('Z2')]);
  });

  test('returns unreadable files too, and fails when they are read', async () => {
    const folder = useFolder({
      'a.dat': dat('A'),
      'empty/readme.txt': 'none',
      'cut.zip': 'PK\u0003\u0004',
    });
    const paths = ['missing', 'a.dat', 'empty', 'cut.zip'].map((name) => join(folder, name));
    const found = await findDats(paths);
    expect(found.map(({ path }) => path)).toEqual(paths);
    const read = await Promise.allSettled(found.map(textOf));
    expect(read).toMatchObject([
      { status: 'rejected', reason: { code: 'ENOENT' } },
      { status: 'fulfilled', value: dat('A') },
      { status: 'rejected', reason: { kind: 'refused' } },
      { status: 'rejected', reason: { kind: 'refused' } },
    ]);
  });
}

async function textOf(file: ImportFile | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file?.read() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
