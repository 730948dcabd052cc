import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Role } from '../../../src/core/shared/requests/role.ts';
import { importGames } from '../../support/data/dats.ts';
// declares the type of the value that `inject` returns
import type {} from '../../support/data/new-catalogue.ts';
import type { TestApp } from '../../support/http/app.ts';
import { drawCover } from './drawn-covers.ts';

/** Names that a page must neither execute nor truncate, and that must not break the layout. */
export const hostileNames = [
  'Ace <script>alert(1)</script> (USA)',
  'Ace "><img src=x onerror=alert(1)> (Europe)',
  `Ace ${'Very Long Name '.repeat(14)}(Japan)`,
];

export interface TestServer extends TestApp {
  /** Returns the id of the release with this name. */
  idOf(name: string): Promise<number>;
}

/**
 * Starts a server with 400 releases on three platforms and one account per role. The password of an
 * account equals its user name.
 */
export async function openTestServer(options: Record<string, string> = {}): Promise<TestServer> {
  // Import dynamically, because a file without a selected test does not need the server.
  const { startTestApp } = await import('../../support/http/app.ts');
  const started = { 'login-failures': '1000', ...options };
  const isCopied = process.env.TESTED_DATABASE !== 'postgres';
  const app = await startTestApp(started, isCopied ? await fillOnce(startTestApp) : undefined);
  if (!isCopied) await fill(app);
  return Object.assign(app, {
    async idOf(name: string) {
      const url = `${app.url}/api/releases?limit=1&q=${encodeURIComponent(name)}`;
      const { items } = (await (await fetch(url)).json()) as { items: { id: number }[] };
      return items[0]?.id ?? 0;
    },
  });
}

/** Fills the data folder of a server once for all servers of a run. Returns its path. */
async function fillOnce(startTestApp: () => Promise<TestApp>): Promise<string> {
  const folder = join(inject('newCatalogues'), 'test-server');
  if (existsSync(folder)) return folder;
  const app = await startTestApp();
  await fill(app);
  await app.app.close();
  await app.catalog.close();
  const database = new Database(join(app.data, 'catalog.db'));
  database.exec("DELETE FROM token; DELETE FROM audit WHERE action = 'login'");
  database.close();
  // Another worker may have filled the folder in the meantime.
  await rename(app.data, folder).catch(() => rm(app.data, { recursive: true }));
  return folder;
}

async function fill(app: TestApp): Promise<void> {
  for (const role of ['editor', 'user'] as const) {
    await app.catalog.accounts.createUser(
      { username: role, password: role, role },
      { kind: 'system' },
    );
  }
  const regions = ['USA', 'Europe', 'Japan'];
  const games = Array.from({ length: 320 }, (_, at) => {
    const region = regions[at % 3] ?? '';
    const name = `${words[at % words.length]} ${words[(at * 7 + 3) % words.length]} ${at} (${region})`;
    return { name, region, serial: `ULUS-${10000 + at}`, roms: [romOf(name, at)] };
  });
  const hostile = hostileNames.map((name, at) => ({ name, roms: [romOf('x.iso', 900 + at)] }));
  await importGames(app, [...games, ...hostile], 'Sony - PlayStation Portable');
  const discs = Array.from({ length: 60 }, (_, at) => ({
    name: `${words[(at * 5) % words.length]} Racing ${at} (Europe)`,
    region: 'Europe',
    roms: [romOf(`disc-${at}.bin`, 2000 + at)],
  }));
  await importGames(app, discs, 'Sony - PlayStation');
  const films = Array.from({ length: 17 }, (_, at) => ({
    name: `The ${words[(at * 3) % words.length]} Picture ${at}`,
    roms: [romOf(`film-${at}.iso`, 3000 + at)],
  }));
  await importGames(app, films, 'Sony - PlayStation Portable (UMD Video)', 'videos');
}

const words =
  'Amber Beacon Comet Delta Echo Falcon Glacier Harbor Ivory Jade Kestrel Lantern Meadow Nimbus Orchid Pioneer Quartz River Saffron Tempest Umbra Velvet Willow Xenon Yonder Zephyr'.split(
    ' ',
  );

function romOf(name: string, at: number) {
  const hash = at.toString(16).padStart(8, '0');
  return {
    name: `${name}.iso`,
    size: String(700_000_000 + at * 7_001),
    crc: hash,
    md5: hash.repeat(4),
    sha1: hash.repeat(5),
  };
}

/**
 * Draws covers for the first `count` releases by name, in three formats and two aspect ratios.
 * Every sixth release has no cover.
 */
export async function storeCovers(
  { data, url }: TestServer,
  page: Page,
  count: number,
): Promise<void> {
  const response = await fetch(`${url}/api/releases?limit=${count}&include=platform`);
  const { items } = (await response.json()) as { items: { id: number; platform: string }[] };
  await mkdir(join(data, 'covers'), { recursive: true });
  for (const [at, { id, platform }] of items.entries()) {
    if (at % 6 === 5) continue;
    const type = (['png', 'jpeg', 'webp'] as const)[at % 3] ?? 'png';
    const isSquare = platform === 'Sony - PlayStation';
    const width = isSquare ? 480 : 298;
    const bytes = await drawCover(page, { type, width, height: isSquare ? 480 : 512, seed: at });
    await writeFile(join(data, 'covers', `${id}.${type === 'jpeg' ? 'jpg' : type}`), bytes);
  }
}

export const passwordOf = (role: Role) => (role === 'admin' ? 'admin-password' : role);

/** Signs in as the account of this role. Uses the form of the page. */
export async function signIn(page: Page, role: Role): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Username').fill(role);
  await page.getByLabel('Password').fill(passwordOf(role));
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: role, exact: true }).waitFor();
}
