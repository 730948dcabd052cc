import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const document = readFileSync('docs/operating/settings.md', 'utf8');

/** Runs scripts/settings-table.ts on a copy of the document. */
function runOn(text: string, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'settings.md');
  writeFileSync(file, text);
  const script = ['scripts/settings-table.ts', ...args, file];
  const { status, stdout } = spawnSync(process.execPath, script, { encoding: 'utf8' });
  return { status, stdout, text: readFileSync(file, 'utf8') };
}

describe('scripts/settings-table.ts', () => {
  test('finds no difference between docs/operating/settings.md and the settings', () => {
    expect(runOn(document, '--check')).toMatchObject({ status: 0, stdout: '' });
  });

  test('reports a missing row and a wrong default, and repairs both', () => {
    const row = /^\| `--upload-days .*\n/m;
    expect(document).toMatch(row);
    for (const wrong of [document.replace(row, ''), document.replace('| `8000` |', '| `80` |')]) {
      const { status, stdout } = runOn(wrong, '--check');
      expect(stdout).toMatch(/settings\.md does not show the settings: run npx node scripts/);
      expect(status).toBe(1);
      expect(runOn(wrong).text).toBe(document);
    }
  });
});
