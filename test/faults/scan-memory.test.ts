/** @module-tag full */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { useSandbox } from '../support/process.ts';
import { runTool, toolsSkipReason } from '../support/tools.ts';

const MIB = 1024 * 1024;
/** The built program, as users run it. The sources would need more memory. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const skipReason = existsSync('/proc/self/status')
  ? toolsSkipReason('7z', 'xz', 'zip', 'chdman')
  : '(skipped: no /proc)';

describe('catalog scan', () => {
  test.skipIf(skipReason !== null)(
    `scans archives with dictionaries of 64 MiB in less than 256 MiB of memory ${skipReason ?? ''}`,
    async () => {
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      const games = join(sandbox.folder, 'games');
      mkdirSync(games);
      // Repeated content compresses quickly and still fills the dictionary.
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
      // The CHD contains noise, which leaves the most memory in use. By its name, it is scanned
      // between the archives.
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

  const skipReasonForMany = existsSync('/proc/self/status')
    ? toolsSkipReason('7z', 'tar', 'gzip')
    : '(skipped: no /proc)';

  test.skipIf(skipReasonForMany !== null)(
    `scans archives of thousands of files each in less than 330 MiB of memory ${skipReasonForMany ?? ''}`,
    async () => {
      // A scan exceeds this limit if it keeps the data of all archives in memory.
      const max = 330 * MIB;
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      const games = join(sandbox.folder, 'games');
      mkdirSync(games);
      const inside = join(sandbox.folder, 'inside');
      mkdirSync(inside);
      for (let i = 0; i < 9_990; i += 1) {
        writeFileSync(join(inside, `${`a member ${i} `.padEnd(97, 'x')}.bin`), `${i}`.repeat(5));
      }
      runTool('7z', ['a', '-bd', '-y', '-mx=1', join(games, '1.7z'), '.'], inside);
      runTool('tar', ['-czf', join(games, '2.tar.gz'), '.'], inside);
      for (const name of ['3.7z', '4.7z', '5.7z', '6.7z', '7.7z', '8.7z', '9.7z']) {
        copyFileSync(join(games, '1.7z'), join(games, name));
      }

      const { peak, report } = await scan(sandbox.data, games);
      console.log(`scan of archives of many files: ${(peak / MIB).toFixed(0)} MiB at most`);
      expect(report).toMatchObject({ hashed: 9, unreadable: [], damaged: [] });
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(max);
    },
    240_000,
  );
});

/** Runs a scan. Returns its peak memory in bytes, and its report. */
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
    return ''; // the process has ended
  }
}
