import { describe, expect, test } from 'vitest';
import { useSource } from '../covers/covers-fixture.ts';
import { libretroZip } from '../imports/catalogue/archive.ts';
import { useSandbox } from '../support/process.ts';

describe('catalog import', () => {
  test('imports the zip of the catalogue source with --download', async () => {
    const zip = libretroZip();
    const source = await useSource((_request, response) => response.end(zip));
    const sandbox = await useSandbox();
    const args = ['import', '--download', '--catalogue-source', `${source.base}/master.zip`];
    const { code, stdout } = await sandbox.run(args);
    expect([code, stdout]).toEqual([
      0,
      '3 files imported, 0 refused: 2 releases new, 0 changed, 1 with new metadata\n',
    ]);
    const again = await sandbox.run([...args, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ size: zip.length, files: 3, new: 0 });
  });

  test('explains when --download is missing, and when it cannot be used', async () => {
    const sandbox = await useSandbox();
    const run = (...args: string[]) => sandbox.run(['import', ...args]);
    expect(await run('--download', '--catalogue-source', '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--catalogue-source is empty: set the address of a zip'),
    });
    expect(await run()).toMatchObject({ stderr: expect.stringContaining('(or use --download)') });
    expect(await run('--download', 'a.dat')).toMatchObject({
      stderr: expect.stringContaining('--download: cannot be used with a path'),
    });
    expect(await run('--download', '--dry-run')).toMatchObject({
      stderr: expect.stringContaining('--download: cannot be used with dry-run'),
    });
  });
});
