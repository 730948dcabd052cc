import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dumpDatabase, restoreDatabase } from '../sql/dump.ts';
import { readFixture, versions } from '../sql/fixtures.ts';
import { useSandbox } from '../support/process.ts';

const newest = versions.at(-1) ?? 0;

test('a command that does not create a catalogue refuses an older database, and serve upgrades it', async () => {
  const sandbox = await useSandbox();
  await mkdir(sandbox.data);
  const file = join(sandbox.data, 'catalog.db');
  restoreDatabase(file, readFixture(newest - 1));
  const before = dumpDatabase(file);
  const commands = [
    ['audit'],
    ['backup', join(sandbox.folder, 'a.tar')],
    ['copy', '--to', join(sandbox.folder, 'copy')],
    ['scan'],
    ['users', 'list'],
    ['verify'],
  ];
  for (const command of commands) {
    expect([command[0], await sandbox.run(command)]).toEqual([
      command[0],
      expect.objectContaining({
        code: 1,
        stdout: '',
        stderr: `catalog: the database in ${file} is of version ${newest - 1}, and this command needs version ${newest}: start "catalog serve" of this version, which upgrades it, or use the older catalog\n`,
      }),
    ]);
  }
  expect(dumpDatabase(file)).toBe(before);
  expect(await readdir(sandbox.data)).not.toContain('backups');

  await (await sandbox.serve()).stop();
  expect(await sandbox.run(['users', 'list'])).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(join(sandbox.data, 'backups'))).toEqual([`before-${newest - 1}.db`]);
});
