import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readZip } from '../../support/exports/zip.ts';
import { openSandbox, type Sandbox } from '../../support/process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  const server = await sandbox.serve(); // creates the catalogue
  await server.stop();
  const rule = JSON.stringify({ all: [] });
  await sandbox.run(['sets', 'save', 'All', '--rule', '-'], { stdin: rule });
});
afterAll(() => sandbox.close());

const exported = (...args: string[]) => sandbox.run(['export', ...args]);

describe('the command line', () => {
  test('exports a set for a device to a zip or a folder, and prints where to put it', async () => {
    const out = join(sandbox.folder, 'all.zip');
    const { code, stdout } = await exported('All', '--profile', 'es-de', '--out', out);
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `wrote 1 files to ${out}; left_out.json lists what the device cannot open`,
    ]);
    expect(stdout.split('\n')[1]).toMatch(/^Unpack into the folder ES-DE/);
    expect([...(await readZip(await readFile(out))).keys()]).toEqual(['left_out.json']);
    const folder = join(sandbox.folder, 'tree');
    expect(await exported('1', '--profile', 'es-de', '--out', folder)).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(['left_out.json']);
    expect(await exported('1', '--profile', 'es-de', '--out', folder)).toMatchObject({
      code: 1,
      stderr: `catalog: ${folder} is not empty: choose an empty folder, or a file that ends in .zip\n`,
    });
  });

  test('refuses to export an unknown set, or for an unknown profile', {
    tags: ['full'],
  }, async () => {
    const out = join(sandbox.folder, 'none.zip');
    expect(await exported('None', '--profile', 'es-de', '--out', out)).toMatchObject({
      code: 1,
      stderr: 'catalog: there is no set "None": "catalog sets list" shows all sets\n',
    });
    expect(await exported('All', '--profile', 'none', '--out', out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"none" is not a profile; "catalog profiles" lists them'),
    });
  });

  test('lists the profiles of devices, and reports why one is invalid', async () => {
    const listed = await sandbox.run(['profiles']);
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toMatch(/^es-de\tES-DE\tUnpack into /m);
    const json = await sandbox.run(['profiles', '--json']);
    expect(JSON.parse(json.stdout).map(({ id }: { id: string }) => id)).toContain('nextui');
    const folder = join(sandbox.data, 'profiles');
    await mkdir(folder);
    await writeFile(join(folder, 'mine.json'), '{ "title": 5 }');
    const wrong = await sandbox.run(['profiles']);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      `catalog: the profile ${join(folder, 'mine.json')} cannot be used: title must be a text\n`,
    ]);
    expect(wrong.stdout).toBe(listed.stdout);
  });
});
