import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApp } from '../http/app.ts';

export interface DatGame {
  readonly name: string;
  readonly serial?: string;
  readonly region?: string;
  /** The name of the game's parent. */
  readonly cloneof?: string;
  /** Attributes of the game's ROMs. */
  readonly roms?: readonly Readonly<Record<string, string>>[];
}

/**
 * Titles that are difficult to search, sort and escape. Two titles differ only in characters beyond
 * U+FFFF, and two are equal.
 */
export const oddTitles = [
  'Abc & Def',
  'abc def',
  '100% Orange',
  '100 Orange',
  'Under_score',
  'Underscore',
  `O'Brien "quoted" <tag>`,
  'ファイナルファンタジー',
  'ファンタジー ゼロ',
  'Élan Vital',
  'élan vital',
  'ELAN VITAL',
  'Zz \u{1F600} smile',
  'Zz \u{1F601} smile',
  'Zz \uFF5A wide',
  'K\u212Aelvin sign',
  'straße STRASSE',
  'İstanbul ıi',
  'Twin',
  'Twin',
  'a\\b backslash',
  `Long ${'x'.repeat(900)} end`,
] as const;

/** Imports a small DAT with these games. The source is `source`, or the platform by default. */
export async function importGames(
  app: Pick<TestApp, 'catalog'>,
  games: readonly (string | DatGame)[],
  platform = 'Test - Console',
  system = 'games',
  source?: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-dat-'));
  const path = join(folder, 'test.dat');
  await writeFile(path, logiqx(platform, games));
  await importDat(app, path, system, source).finally(() => rm(folder, { recursive: true }));
}

/** Returns the path of a real DAT next to the repository, or null if the file does not exist. */
export function findRealDat(name: string): string | null {
  const path = join(import.meta.dirname, '../../../../shared/data/dats', name);
  return existsSync(path) ? path : null;
}

export async function importDat(
  { catalog }: Pick<TestApp, 'catalog'>,
  path: string,
  system?: string,
  source?: string,
): Promise<void> {
  const { signal } = new AbortController();
  const options = { system, source, signal, onProgress() {}, onFile() {} };
  const { files } = await catalog.imports.importPaths([path], options, { kind: 'system' });
  const refused = files.find((report) => 'refused' in report);
  if (files.length !== 1 || refused) throw new Error(refused?.refused ?? 'no DAT was found');
}

function logiqx(platform: string, games: readonly (string | DatGame)[]): string {
  const rows = games.map((game, index) => {
    const { name, serial, region, cloneof, roms } =
      typeof game === 'string' ? { name: game } : game;
    const hash = index.toString(16).padStart(40, '0');
    const files = roms ?? [{ name: `${index}.bin`, size: '1', sha1: hash }];
    return (
      `<game${attributes({ name, ...(cloneof && { cloneof }) })}><description>d${index}</description>` +
      `${serial ? `<serial>${escapeXml(serial)}</serial>` : ''}` +
      `${region ? `<release${attributes({ name, region })}/>` : ''}${files.map((rom) => `<rom${attributes(rom)}/>`).join('')}</game>`
    );
  });
  return `<?xml version="1.0"?><datafile><header><name>${escapeXml(platform)}</name></header>${rows.join('\n')}</datafile>`;
}

function attributes(all: Readonly<Record<string, string>>): string {
  return Object.entries(all)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
