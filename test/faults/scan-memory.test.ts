import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useSandbox } from '../support/process.ts';
import { lackOf, runTool } from '../support/tools.ts';

const MIB = 1024 * 1024;
/** As people run it: loading the sources themselves takes some 40 MiB more. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const lack = existsSync('/proc/self/status')
  ? lackOf('7z', 'xz', 'zip', 'chdman')
  : '(skipped: no /proc)';

test.skipIf(lack !== null)(
  `a scan of archives with dictionaries of 64 MiB takes less than 256 MiB ${lack ?? ''}`,
  async () => {
    const sandbox = await useSandbox();
    await sandbox.begin();
    const games = join(sandbox.folder, 'games');
    mkdirSync(games);
    // what repeats is packed fast, and fills the dictionary all the same
    const noise = randomBytes(2 * MIB);
    const write = (name: string) => {
      noise.write(name, 0, 'latin1');
      writeFileSync(join(games, name), Buffer.concat(Array.from({ length: 48 }, () => noise)));
    };
    write('plain.iso');
    for (const name of ['1.iso', '2.iso', '3.iso']) {
      write(name);
      const options = ['-bd', '-y', '-sdel', '-mx=1', '-m0=LZMA2', '-md=64m'];
      runTool('7z', ['a', ...options, `${name}.7z`, name], games);
    }
    write('4.iso');
    runTool('xz', ['-0', '--lzma2=preset=0,dict=64MiB', '4.iso'], games);
    write('5.iso');
    runTool('zip', ['-q', '-1', '-m', '5.zip', '5.iso'], games);
    // noise is what leaves the most behind; its name puts it between archives
    const cue = join(sandbox.folder, 'cd.cue');
    writeFileSync(join(sandbox.folder, 'cd.bin'), randomBytes(2352 * 20_000));
    writeFileSync(cue, 'FILE "cd.bin" BINARY\n TRACK 01 MODE2/2352\n  INDEX 01 00:00:00\n');
    runTool('chdman', ['createcd', '-i', cue, '-o', join(games, '3a.chd')]);

    const { peak, report } = await scan(sandbox.data, games);
    console.log(`scan of archives: ${(peak / MIB).toFixed(0)} MiB at most`);
    expect(report).toMatchObject({ hashed: 7, unreadable: [], damaged: [] });
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(256 * MIB);
  },
  240_000,
);

/** The most memory that a scan held, in bytes, and its report. */
async function scan(data: string, games: string) {
  const args = [MAIN, 'scan', '--json', '--games-root', games];
  const child = spawn(process.execPath, args, { env: { ...process.env, CATALOG_DATA: data } });
  let peak = 0;
  let printed = '';
  const watch = setInterval(() => {
    const status = readStatus(child.pid ?? 0);
    peak = Math.max(peak, Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
  }, 10);
  for await (const text of child.stdout) printed += text;
  clearInterval(watch);
  return { peak, report: JSON.parse(printed) };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
