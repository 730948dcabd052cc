import { existsSync, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { writeBigDat } from '../support/data/big-dat.ts';
import { sendRequest } from '../support/http/client.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const dats = resolve('../shared/data/dats');
const psp = join(dats, 'Sony - PlayStation Portable.dat');
const umd = join(dats, 'Sony - PlayStation Portable (UMD Video).dat');
const hasReal = existsSync(psp) && existsSync(umd);

describe.skipIf(!hasReal)(`the real PSP DATs${hasReal ? '' : ` (skipped: not in ${dats})`}`, () => {
  test('give 3,456 and 836 new releases, and none when repeated', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const first = await sandbox.run(['import', psp, umd]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/3456 new/);
    expect(first.stdout).toMatch(/836 new/);
    expect(countReleases(sandbox)).toEqual({ games: 3456, videos: 836 });
    const before = contentOf(sandbox);
    const second = await sandbox.run(['import', psp, umd]);
    expect(second.stdout).toMatch(/3456 unchanged/);
    expect(second.stdout).toMatch(/836 unchanged/);
    expect(second.stdout).not.toMatch(/\b(new|changed|renamed|gone|joined)\b/);
    expect(contentOf(sandbox)).toBe(before);
  });

  test('are shown in a running server after an import with --system and --json', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const args = ['import', '--system', 'handheld', '--json', umd];
    const { code, stdout, stderr } = await sandbox.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report.files).toHaveLength(1);
    expect(report.files[0]).toMatchObject({ file: umd, counts: { new: 836 } });
    expect(countReleases(sandbox)).toEqual({ handheld: 836 });
    const { json } = await sendRequest(`${server.url}/api/releases?system=handheld&limit=500`);
    expect(json.items).toHaveLength(500);
  });
});

describe('catalog import', () => {
  test('refuses a broken file with file, line and reason, and imports the valid ones', async () => {
    const sandbox = await useSandbox();
    const [good, broken, cut, other] = await Promise.all([
      file(sandbox, 'good.dat', dat('Test - Good', row('a'), row('b'))),
      file(sandbox, 'broken.dat', dat('Test - Broken', row('c'), '<game name="d"></rom></game>')),
      file(sandbox, 'cut.dat', dat('Test - Cut', row('e'), row('f')).slice(0, -40)),
      file(sandbox, 'other.dat', otherDat),
    ]);
    const { code, stdout, stderr } = await sandbox.run(['import', good, broken, cut, other]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${broken}:4: `);
    expect(stderr).toMatch(new RegExp(`${cut}:\\d+: .+`));
    expect(stderr).not.toMatch(/ at .+\.ts:\d+/); // no stack trace
    expect(stdout).toContain(good);
    expect(namesOf(sandbox)).toEqual(['a', 'b', 'g']);
  });

  test('names the refused input: a text file, a missing file and an empty --system', async () => {
    const sandbox = await useSandbox();
    const text = await file(sandbox, 'notes.dat', 'just some text\n');
    const missing = join(sandbox.folder, 'missing.dat');
    const { code, stderr } = await sandbox.run(['import', missing, text]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${missing}: `);
    expect(stderr).toMatch(new RegExp(`${text}(:\\d+)?: .+`));
    const empty = await sandbox.run(['import', '--system', ' ', text]);
    expect(empty.stderr).toMatch(/^catalog: --system: .+\n$/);
    expect(empty.code).toBe(2);
    expect(namesOf(sandbox)).toEqual([]);
  });

  for (const [signal, exitCode, tags] of [
    ['SIGINT', 130, []],
    ['SIGTERM', 143, ['full']],
  ] as const) {
    test(`keeps nothing of an unfinished file on ${signal}, reports this in one line, and fails`, {
      tags: [...tags],
    }, async () => {
      const sandbox = await useSandbox();
      const big = join(sandbox.folder, 'big.dat');
      await writeBigDat(big, 100_000);
      const small = await file(sandbox, 'small.dat', dat('Test - Small', row('small')));
      const program = sandbox.start(['import', small, big]);
      await expect.poll(() => program.stdout).toContain('small.dat');
      program.kill(signal);
      const { code, stderr } = await program.ended;
      expect(code).toBe(exitCode);
      expect(stderr).toBe('catalog: stopped; files imported so far are kept\n');
      expect(namesOf(sandbox)).toEqual(['small']);
      expect(query(sandbox, 'select state from job')).toEqual([{ state: 'stopped' }]);
      expect((await sandbox.run(['import', small])).code).toBe(0);
    });
  }

  test('prints with --dry-run what it would import, and imports nothing', async () => {
    const sandbox = await useSandbox();
    const good = await file(sandbox, 'good.dat', dat('Test - Good', row('a'), row('b')));
    const { code, stdout } = await sandbox.run(['import', '--dry-run', good]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `would import ${good}\n         Test - Good: 2 rows, 2 releases: 2 new\n` +
        'would import 1 file, 0 refused\n',
    );
    expect(namesOf(sandbox)).toEqual([]);
  });

  test('lets a second import wait, or refuses it in one line that names the running job', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const big = join(sandbox.folder, 'big.dat');
    await writeBigDat(big, 30_000);
    const small = await file(sandbox, 'small.dat', dat('Test - Small', row('small')));
    const first = sandbox.start(['import', big]);
    await expect.poll(() => existsSync(sandbox.data) && runningJobs(sandbox)).toBe(1);
    const second = await sandbox.run(['import', small]);
    if (second.code !== 0) {
      expect(second.stderr).toMatch(/^catalog: another import is running \(job \d+, .+\n$/);
      expect(second.code).toBe(1);
    }
    expect((await first.ended).code).toBe(0);
    expect((await sandbox.run(['import', small])).code).toBe(0);
    expect(countReleases(sandbox)).toEqual({ games: 30_001 });
  });
});

const otherDat = `clrmamepro (
  name "Test - Other"
)
game (
  name "g"
  rom ( name "g.iso" size 1 crc 00000067 )
)
`;

function row(name: string): string {
  const crc = Buffer.from(name.slice(0, 4)).toString('hex').padStart(8, '0');
  return `<game name="${name}"><rom name="${name}.iso" size="1" crc="${crc}"/></game>`;
}

function dat(name: string, ...rows: string[]): string {
  return `<?xml version="1.0"?>\n<datafile><header><name>${name}</name></header>\n${rows.join('\n')}\n</datafile>\n`;
}

async function file(sandbox: Sandbox, name: string, text: string): Promise<string> {
  mkdirSync(sandbox.folder, { recursive: true });
  const path = join(sandbox.folder, name);
  await writeFile(path, text);
  return path;
}

function query<T>(sandbox: Sandbox, sql: string): T[] {
  const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
  try {
    return database.prepare<[], T>(sql).all();
  } finally {
    database.close();
  }
}

function countReleases(sandbox: Sandbox): Record<string, number> {
  const sql = 'select system, count(*) as n from release group by system';
  const rows = query<{ system: string; n: number }>(sandbox, sql);
  return Object.fromEntries(rows.map(({ system, n }) => [system, n]));
}

function namesOf(sandbox: Sandbox): string[] {
  return query<{ name: string }>(sandbox, 'select name from release order by name').map(
    ({ name }) => name,
  );
}

function contentOf(sandbox: Sandbox): string {
  return JSON.stringify(query(sandbox, 'select * from release order by id'));
}

/** Returns the number of running jobs, or 0 if the table does not exist yet. */
function runningJobs(sandbox: Sandbox): number {
  try {
    return query(sandbox, "select id from job where state = 'running'").length;
  } catch {
    return 0;
  }
}

describe('an import of long rows', () => {
  test('names a row that is too long, exits with 1, and imports the rest', async () => {
    const sandbox = await useSandbox();
    const long = row('x'.repeat(1_001));
    const path = await file(sandbox, 'long.dat', dat('Test - Long', row('a'), long));
    const { code, stdout } = await sandbox.run(['import', path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/1 row refused:\n.* line 4: name must be at most 1000 characters long/);
    expect(countReleases(sandbox)).toEqual({ games: 1 });
  });
});
