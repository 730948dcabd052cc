import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { barLine, plainLine } from '../../src/cli/output/progress-line.ts';
import { writeBigDat } from '../support/data/big-dat.ts';
import { useSandbox } from '../support/process.ts';
import { openTerminal, terminalSkipReason } from '../support/terminal.ts';

const MIB = 1_048_576;
/**
 * Returns the states of the progress bar in the output of a terminal, in the order in which they
 * were drawn.
 */
const drawn = (shown: string) =>
  shown
    .split(/\r|\x1b\[K/)
    .filter((text) => text.includes('['))
    .map((text) => text.split('\n')[0] ?? '');

describe.skipIf(terminalSkipReason !== '')(`a command in a terminal${terminalSkipReason}`, () => {
  for (const [columns, tags] of [
    [80, []],
    [40, ['full']],
  ] as const) {
    test(`shows the file and the number of files of an import in ${columns} columns`, {
      tags: [...tags],
    }, async () => {
      const sandbox = await useSandbox();
      for (let i = 0; i < 3; i += 1) {
        const dat = join(sandbox.folder, `日本の長い名前の一覧 ${i} (2026-11-21) of many.dat`);
        await writeBigDat(dat, 8_000, { platform: `Test - ${i}` });
      }
      const terminal = openTerminal(sandbox, 'catalog import .', columns);
      expect(await terminal.ended).toBe(0);
      const lines = drawn(terminal.shown());
      expect(lines[0]).toMatch(/^\[[#-]+\] \d+% file 1 of 3\b/);
      expect(lines.some((line) => line.includes('file 3 of 3'))).toBe(true);
      // The number of releases does not fit in 40 columns.
      expect(lines.some((line) => /, release \d+ of 8000\b/.test(line))).toBe(columns === 80);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThan(columns);
      // The bar is removed before the report is printed.
      expect(terminal.shown()).toMatch(/(^|\x1b\[K)imported .+ 0 \(2026/m);
      expect(terminal.shown()).toMatch(/3 files imported, 0 refused\r\n$/);
    });

    test(`shows phase, share, files and remaining time of a scan in ${columns} columns`, {
      tags: [...tags],
    }, async () => {
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      mkdirSync(join(sandbox.folder, 'games'));
      for (let i = 0; i < 3; i += 1) {
        const path = join(
          sandbox.folder,
          'games',
          `A rather long name of a disc \x1b[31m ${i}.iso`,
        );
        writeFileSync(path, `${i}`);
        truncateSync(path, 100 * MIB);
      }
      const terminal = openTerminal(sandbox, 'catalog scan --jobs 1 --games-root games', columns);
      expect(await terminal.ended).toBe(0);
      const lines = drawn(terminal.shown());
      expect(
        lines.some((line) => /^hash \[[#-]+\] \d+% \d of 3 files, \d+ s left/.test(line)),
      ).toBe(true);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThan(columns);
      expect(terminal.shown()).not.toContain('\x1b[31m');
    });
  }

  test('removes the progress bar of an import at Ctrl-C, and exits with 130', async () => {
    const sandbox = await useSandbox();
    await writeBigDat(join(sandbox.folder, 'big.dat'), 100_000);
    const terminal = openTerminal(sandbox, 'trap : INT; catalog import big.dat; echo "exit $?"');
    await terminal.type('file 1 of 1', '\x03');
    await terminal.ended;
    const last = terminal.shown().split('\x1b[K').at(-1);
    expect(last).toMatch(
      /^(\^C)?catalog: stopped; files imported so far are kept\r\nexit 130\r\n$/,
    );
  });

  test("shows no control character of a file name in the server's log", {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const games = join(sandbox.folder, 'games');
    mkdirSync(games);
    writeFileSync(join(games, 'bad \x1b[31m\u202e.iso.cso'), 'CISO'.padEnd(64, '\xff'));
    const terminal = openTerminal(
      sandbox,
      'trap : INT; catalog serve --minimal --host 127.0.0.1 --port 0 --games-root games',
    );
    await expect.poll(terminal.shown).toMatch(/a library file .*bad \?\[31m\?\.iso\.cso/);
    expect(terminal.shown()).not.toContain('\x1b[31mbad');
    await terminal.type('bad', '\x03');
    expect(await terminal.ended).toBe(0);
  });
});

describe('the progress line', () => {
  const shown = {
    phase: 'identify',
    done: 600 * MIB,
    total: 1200 * MIB,
    areBytes: true,
    counts: ['1200 of 30000 files'],
    name: '/srv/discs/ルミネス (Japan) \x1b[2J.iso',
  } as const;

  test.each([20, 40, 60, 80, 120, 200])('fits in %i columns', (columns) => {
    const line = barLine(shown, 10_000, columns);
    expect(columnsOf(line)).toBeLessThan(columns);
    expect(line).toMatch(/^identify \[[#-]+\]/);
    expect(line).not.toContain('\x1b');
  });

  test('shows the details that fit, the most useful first', () => {
    expect(barLine(shown, 10_000, 40)).toBe('identify [##--] 50% 1200 of 30000 files');
    expect(barLine(shown, 10_000, 120)).toBe(
      'identify [#########---------] 50% 1200 of 30000 files, 10 s left, 60.0 MiB/s ルミネス (Japan) ?[2J.iso',
    );
    expect(plainLine(shown, 10_000)).toBe(
      'identify: 1200 of 30000 files, 600.0 MiB of 1.17 GiB, 60.0 MiB/s, 10 s left',
    );
    expect(plainLine({ ...shown, done: 0 }, 10)).toBe(
      'identify: 1200 of 30000 files, 0 KiB of 1.17 GiB',
    );
  });

  test('shows zero progress if there is nothing to do', () => {
    const nothing = { phase: '', done: 0, total: 0, counts: ['0 of 0 images'], name: '' } as const;
    expect(barLine(nothing, 0, 80)).toBe('[------------------] 0% 0 of 0 images');
    expect(plainLine(nothing, 0)).toBe('0 of 0 images');
  });
});

/** Returns the number of columns of a text, as a terminal counts them. */
function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) columns += /[\u1100-\uffff]/.test(character) ? 2 : 1;
  return columns;
}
