// Writes the tables of settings into docs/operating/settings.md, from src/settings/groups/.
//   npx node scripts/settings-table.ts [--check] [FILE]
// --check reports whether the tables in the document are current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultText, type Setting } from '../src/settings/setting.ts';
import { settings, settingsUsedBy } from '../src/settings/settings.ts';
import { root } from './stamps.mjs';

const page = 'docs/operating/settings.md';
const [start, end] = ['<!-- settings: made by scripts/settings-table.ts -->', '<!-- /settings -->'];

/** The heading of each table. */
const headings: Record<Setting<unknown>['usedBy'], string> = {
  server: 'Every server',
  'account API': 'Servers of the account API',
  'minimal API': 'Servers of the minimal API',
  copy: '`catalog copy`',
};

const [file = join(root, page)] = process.argv.slice(2).filter((each) => each !== '--check');
const text = readFileSync(file, 'utf8');
const [before, rest = ''] = text.split(start);
const after = rest.split(end)[1];
if (after === undefined) throw new Error(`${page}: has no lines "${start}" and "${end}"`);
const current = `${before}${start}\n\n${tables()}\n${end}${after}`;
if (!process.argv.includes('--check')) writeFileSync(file, current);
else if (text !== current) {
  console.log(`${page} does not show the settings: run npx node scripts/settings-table.ts`);
  process.exitCode = 1;
}

function tables(): string {
  const users = Object.keys(headings) as (keyof typeof headings)[];
  return users.map((user) => `${headings[user]}:\n\n${tableOf(user)}\n`).join('\n');
}

function tableOf(user: keyof typeof headings): string {
  const rows = settingsUsedBy(user).map((name) => rowOf(settings[name]));
  return ['| Option | Variable | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function rowOf(setting: Setting<unknown>): string {
  const { option, takes, variable, mayBeInFile, shownDefault, meaning, more } = setting;
  const cells = [
    option === undefined ? '' : `\`--${takes === undefined ? option : `${option} ${takes}`}\``,
    `\`${variable}\`${mayBeInFile ? ', `_FILE`' : ''}`,
    shownDefault ?? `\`${defaultText(setting)}\``,
    more === undefined ? meaning : `${meaning} (${more})`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
