import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { mapAhead } from '../../src/core/shared/concurrency/map-ahead.ts';
import { game, xml } from '../imports/support/dat-text.ts';
import { dumpDatabase, restoreDatabase } from '../sql/dump.ts';
import { readFixture, versions } from '../sql/fixtures.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { testFirstOfEach } from '../support/first-of-each.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';
import { testSomeAndMany } from '../support/some-and-many.ts';

const newest = versions.at(-1) ?? 0;

/**
 * All commands, with arguments, and the effect of each on an older database: it `refuses`,
 * `upgrades`, `reads` or `ignores` the database.
 */
const commands: Readonly<
  Record<string, readonly ['refuses' | 'upgrades' | 'reads' | 'ignores', ...args: string[]]>
> = {
  serve: ['upgrades'],
  import: ['upgrades', 'new.dat'],
  scan: ['refuses'],
  'covers fetch': ['refuses'],
  'covers extract': ['refuses'],
  'covers bundle': ['refuses', 'all'],
  job: ['ignores', '1', '1'], // only a server can start it
  'users add': ['upgrades', 'new', '--password-stdin'],
  'users list': ['refuses'],
  'users passwd': ['refuses', 'new', '--password-stdin'],
  'users role': ['refuses', 'new', 'admin'],
  'users activate': ['refuses', 'new'],
  'users deactivate': ['refuses', 'new'],
  'users remove': ['refuses', 'new'],
  'sets list': ['refuses'],
  'sets show': ['refuses', 'Mine'],
  'sets save': ['refuses', 'Mine', '--rule', 'new.dat'],
  'sets explain': ['refuses', 'Mine', '1'],
  'sets remove': ['refuses', 'Mine'],
  export: ['refuses', 'Mine', '--profile', 'es-de', '--out', 'new.zip'],
  build: ['refuses', 'Mine', '--profile', 'es-de', '--to', 'copy'],
  profiles: ['ignores'],
  adopt: ['refuses'],
  backup: ['refuses', 'new.tar'],
  restore: ['ignores', 'new.dat'], // this data folder is not empty
  copy: ['refuses', '--to', 'copy'],
  verify: ['refuses'],
  doctor: ['reads'],
  audit: ['refuses'],
  completion: ['ignores', 'bash'],
  openapi: ['ignores'],
};

const namesThat = (does: 'refuses' | 'upgrades' | 'reads' | 'ignores') =>
  Object.keys(commands).filter((name) => commands[name]?.[0] === does);

/** Returns the names of all commands, including hidden ones. */
function namesOf(command: Command, prefix = ''): string[] {
  return command.commands.flatMap((each) => {
    const name = `${prefix}${each.name()}`;
    return each.commands.length === 0 ? [name] : namesOf(each, `${name} `);
  });
}

/** Runs a command with its arguments. Files are in the folder of the sandbox. */
async function runIn(sandbox: Sandbox, name: string) {
  const [, ...args] = commands[name] ?? ['ignores'];
  const placed = args.map((arg) => (/\.|^copy$/.test(arg) ? join(sandbox.folder, arg) : arg));
  return sandbox.run([...name.split(' '), ...placed], { stdin: 'a password\n' });
}

async function useOlderDatabase(): Promise<{ sandbox: Sandbox; file: string }> {
  const sandbox = await useSandbox();
  await mkdir(sandbox.data);
  const file = join(sandbox.data, 'catalog.db');
  restoreDatabase(file, readFixture(newest - 1));
  await writeFile(
    join(sandbox.folder, 'new.dat'),
    xml([game('One', 'one')], 'Test - Console', '1'),
  );
  return { sandbox, file };
}

const refusal = (version: number) =>
  ` is of version ${version}, and this command needs version ${version + 1}: start "catalog serve" of this version, which upgrades it, or use the older catalog\n`;

describe('the command line', () => {
  test('has a case in this file for every command', () => {
    expect(namesOf(createProgram()).sort()).toEqual(Object.keys(commands).sort());
  });

  const refusing =
    'refuses or only reads an older database in $count commands that create no catalogue';
  const others = [...namesThat('reads'), ...namesThat('refuses'), ...namesThat('ignores')];
  testSomeAndMany(refusing, { some: 6, many: others.length }, async (count) => {
    const { sandbox, file } = await useOlderDatabase();
    const before = dumpDatabase(file);
    const names = others.filter((_, i) => i % Math.ceil(others.length / count) === 0);
    for await (const [name, result] of mapAhead(3, names, (each) => runIn(sandbox, each))) {
      if (commands[name]?.[0] === 'refuses')
        expect([name, result]).toMatchObject([
          name,
          { code: 1, stdout: '', stderr: `catalog: the database in ${file}${refusal(newest - 1)}` },
        ]);
      if (commands[name]?.[0] === 'reads')
        expect([name, result.stdout]).toEqual([
          name,
          expect.stringContaining(`version ${newest - 1}; the next start upgrades it to ${newest}`),
        ]);
      expect([name, dumpDatabase(file) === before]).toEqual([name, true]);
    }
    expect(await readdir(sandbox.data)).not.toContain('backups');
  });

  testFirstOfEach(namesThat('upgrades'))(
    'copies, then upgrades an older database: %s',
    async (name) => {
      const { sandbox } = await useOlderDatabase();
      if (name === 'serve') await (await sandbox.serve()).stop();
      else expect(await runIn(sandbox, name)).toMatchObject({ code: 0, stderr: '' });
      expect(await sandbox.run(['users', 'list'])).toMatchObject({ code: 0, stderr: '' });
      expect(await readdir(join(sandbox.data, 'backups'))).toEqual([`before-${newest - 1}.db`]);
    },
  );
});

const servers = testedDatabases().filter(({ name }) => name !== 'SQLite');

describe.each(servers)('an older database on $name', { tags: ['full'] }, ({ make }) => {
  test('is refused by commands that create no catalogue', async () => {
    const { databaseUrl, drop } = await make();
    onTestFinished(drop);
    const client = new pg.Client(databaseUrl);
    await client.connect();
    onTestFinished(() => client.end());
    const sql = 'UPDATE schema_version SET version = version - 1 RETURNING version';
    const version = Number((await client.query(sql)).rows[0].version);
    const sandbox = await useSandbox(undefined, databaseUrl);
    await mkdir(sandbox.data);
    const names = namesThat('refuses');
    for await (const [name, result] of mapAhead(3, names, (each) => runIn(sandbox, each)))
      expect([name, result]).toMatchObject([
        name,
        { code: 1, stdout: '', stderr: expect.stringContaining(refusal(version)) },
      ]);
    const { rows } = await client.query('SELECT version FROM schema_version');
    expect(rows).toEqual([{ version }]);
  });
});
