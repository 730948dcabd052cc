import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { importGames } from '../support/data/dats.ts';
import { pollOptions } from '../support/poll-options.ts';
import { closeBrowser, describeInBrowser, leave, visit } from './support/browser.ts';
import { openStockedServer, type StockedServer } from './support/stocked-server.ts';
import { hostileNames } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

/**
 * Holds back requests for the details of a release until `release` is called. `isRequested`
 * resolves at the first request.
 */
async function holdReading(page: Page) {
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const isReading = (url: URL) => /^\/api\/releases\/\d+$/.test(url.pathname);
  await page.route(isReading, async (route) => {
    if (route.request().method() === 'GET') {
      requested.resolve();
      await released.promise;
    }
    await route.continue();
  });
  return { isRequested: requested.promise, release: released.resolve };
}

describeInBrowser('the screen of a release', () => {
  test('edits the release in place, with undo before and after saving', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Beacon Kestrel 1 (Europe)')}`);
    await page.getByRole('heading', { level: 1, name: /Beacon/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Genre').fill('Racing');
    await page.getByLabel('Name').fill('Beacon Changed');
    await page.keyboard.press('Control+z');
    expect(await page.getByLabel('Name').inputValue()).toContain('Beacon Kestrel');
    await page.getByLabel('Name').fill('');
    await page.getByText('A release needs a name').waitFor();
    await page.getByLabel('Name').fill('Beacon Edited');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Beacon Edited' }).waitFor();
    await page.getByText('Racing').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: /Beacon Kestrel/ }).waitFor();
    expect(await page.getByText('Racing', { exact: true }).count()).toBe(0);
    expect(await page.getByText('Edited by hand').count()).toBe(0);
  });

  test('shows edited fields and restores imported values', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Falcon Meadow 5 (Japan)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Region').fill('Korea');
    await page.getByLabel('Title').fill('Falcon!');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Imported: Japan').waitFor();
    await page.getByText('No imported value').waitFor();
    await page.getByRole('button', { name: 'Revert to imported: Region' }).click();
    await page.getByText('Imported: Japan').waitFor({ state: 'hidden' });
    await page.getByRole('definition').filter({ hasText: 'Japan' }).waitFor();
    await page.getByRole('button', { name: 'Revert to imported: Title' }).click();
    await page.getByText('Edited by hand').waitFor({ state: 'hidden' });
    expect(await page.getByText('Falcon!').count()).toBe(0);
  });

  test('keeps the buttons of its form in view, with no field behind them', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const boxOf = async (name: 'Save' | 'Synopsis') => {
      const found = name === 'Save' ? page.getByRole('button', { name }) : page.getByLabel(name);
      return (await found.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
    };
    await page.getByLabel('Name').waitFor();
    const save = await boxOf('Save');
    expect(save.y + save.height).toBeLessThanOrEqual(900);
    await page.getByLabel('Synopsis').focus();
    const [field, below] = [await boxOf('Synopsis'), await boxOf('Save')];
    expect(field.y + field.height).toBeLessThanOrEqual(below.y);
  });

  test('asks before it discards typed text', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Publisher').fill('Somebody');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Publisher').inputValue()).toBe('Somebody');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  });

  test('reports a concurrent edit, keeps typed text, and lets the user decide', async () => {
    const [one, two] = [
      await openPage(server, 'editor'),
      await openPage(server, 'admin', { width: 360 }),
    ];
    for (const { page } of [one, two]) {
      await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
    }
    await one.page.getByLabel('Genre', { exact: true }).fill('Theirs');
    await one.page.getByLabel('Region', { exact: true }).fill('Korea');
    await one.page.getByRole('button', { name: 'Save' }).click();
    await one.page.getByText('Saved').waitFor();
    const { page } = two;
    await page.getByLabel('Genre', { exact: true }).fill('Mine');
    await page.getByLabel('Publisher').fill('Mine too');
    const refusal = page.getByText('Someone else has changed this release');
    const theirs = await holdReading(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await theirs.isRequested;
    expect(await refusal.count(), 'shown before the form has read the release').toBe(0);
    theirs.release();
    await refusal.waitFor();
    expect(await page.getByLabel('Genre', { exact: true }).inputValue()).toBe('Mine');
    expect(await page.getByLabel('Region', { exact: true }).inputValue()).toBe('Korea');
    await page.getByRole('button', { name: 'Take theirs: Genre' }).click();
    expect(await page.getByLabel('Genre', { exact: true }).inputValue()).toBe('Theirs');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByLabel('Genre', { exact: true }).inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await page.getByText('Saved').waitFor();
    for (const value of [/^\s*Mine\s+Edited/, /^\s*Mine too\s+Edited/, /^\s*Korea\s+Edited/])
      await page.getByRole('definition').filter({ hasText: value }).waitFor();
  });

  test('shows names in other sources, and files on disk', { tags: ['full'] }, async () => {
    const path = `/releases/${server.stocked}`;
    const anonymous = (await openPage(server, 'anonymous')).page;
    await anonymous.goto(path);
    await anonymous.getByText('Quest for Quartz (EU)').waitFor();
    await anonymous.getByText('Quartz Quest (Europe).zip').waitFor();
    await anonymous.getByText('Sign in to download').waitFor();
    expect(await anonymous.getByText('qq-backup.iso').count()).toBe(0);
    const user = (await openPage(server, 'user')).page;
    await user.goto(path);
    await user.getByText('In your library, verified').waitFor();
    await user.getByText('matched by SHA-1', { exact: true }).waitFor();
    const download = user.waitForEvent('download');
    await user.getByRole('link', { name: 'Download Quartz Quest (Europe).zip' }).click();
    expect((await download).suggestedFilename()).toBe('Quartz Quest (Europe).zip');
    const editor = (await openPage(server, 'editor')).page;
    await editor.goto(path);
    await editor.getByText(/matched by SHA-1\s+·\s+.*qq-backup\.iso/).waitFor();
  });

  test('shows no sections without content, and the checksums on demand', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
    await page.getByText('Not in your library').waitFor();
    for (const name of ['Files', 'In other sources']) {
      expect(await page.getByRole('heading', { name }).count(), name).toBe(0);
    }
    const copy = page.getByRole('button', { name: 'Copy SHA-1' });
    expect(await copy.isVisible()).toBe(false);
    await page.getByText('ROMs and checksums').click();
    await copy.waitFor();
  });

  test('shows other versions of the game only from the same platform', {
    tags: ['full'],
  }, async () => {
    const rom = (at: number) => {
      return { name: 'v.bin', size: '9', crc: '0'.repeat(8), sha1: `${at}`.repeat(40) };
    };
    const versions = ['Quasar Twins (Japan)', 'Quasar Twins (USA)', 'Quasar Twins II (USA)'];
    const games = versions.map((name, at) => ({ name, roms: [rom(at)] }));
    await importGames(server, games, 'Bandai - Playdia');
    const other = { name: 'Quasar Twins (Korea)', roms: [rom(7)] };
    await importGames(server, [other], 'Sega - Saturn');
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases/${await server.idOf('Quasar Twins (Japan)')}`);
    const section = page.locator('section', { hasText: 'Versions of this game' });
    await section.getByRole('link').first().waitFor();
    expect(await section.getByRole('link').allTextContents()).toEqual(['USA']);
    expect(await section.locator('[aria-current]').textContent()).toBe('Japan');
    await section.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Quasar Twins (USA)' }).waitFor();
    await section.getByRole('link', { name: 'Japan' }).waitFor();
    expect(await section.getByRole('button').count()).toBe(0);
  });

  test('shows that only the store has an archive of the release', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    const name = 'Beacon Kestrel 1 (Europe)';
    const archive = join(server.data, 'store', 'games', `${name}.zip`);
    await writeFile(archive, 'an archive');
    onTestFinished(() => rm(archive));
    const isStored = async () => {
      await page.goto(`/releases/${await server.idOf(name)}`);
      await page.getByRole('heading', { level: 1, name: /Beacon/ }).waitFor();
      const badge = page.getByText('In Downloads, not in your library');
      const other = page.getByText('Not in your library', { exact: true });
      await badge.or(other).waitFor();
      return badge.isVisible();
    };
    // a manually added file shows within a second
    await expect.poll(isStored, pollOptions).toBe(true);
    await page
      .getByRole('link', { name: `Download ${name}.zip` })
      .first()
      .waitFor();
    await page.goto('/releases?q=Beacon Kestrel 1');
    const tile = page.getByRole('listitem').filter({ hasText: 'Beacon Kestrel 1' }).first();
    await tile.getByText('In Downloads').waitFor({ state: 'attached' });
  });

  test('shows a refusal by the server at the field and keeps typed text', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Genre').fill('bad\u0000one');
    await page.getByLabel('Serial').fill('kept');
    await page.keyboard.press('Control+s');
    await page.getByText('a character that cannot be stored').waitFor();
    const genre = page.getByLabel('Genre');
    expect(await genre.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Serial').inputValue()).toBe('kept');
  });

  test('asks to sign in when the session ended, and then saves the typed text', {
    tags: ['full'],
  }, async () => {
    const { page, context } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Publisher').fill('Kept Over');
    await context.clearCookies();
    await page.keyboard.press('Control+s');
    await page.getByText('Sign in to continue').waitFor();
    await page.getByLabel('Username').fill('editor');
    await page.getByLabel('Password').fill('editor');
    await page.keyboard.press('Enter');
    await page.getByText('Kept Over').waitFor();
  });

  test('asks to sign in when the session ended, and then completes an undo or a revert', {
    tags: ['full'],
  }, async () => {
    const { page, context } = await openPage(server, 'editor');
    const signIn = async () => {
      await page.getByText('Sign in to continue').waitFor();
      await page.getByLabel('Username').fill('editor');
      await page.getByLabel('Password').fill('editor');
      await page.keyboard.press('Enter');
    };
    await page.goto(`/releases/${await server.idOf('Comet River 2 (Japan)')}`);
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    for (const developer of ['First Hand', 'Second Hand']) {
      await edit.click();
      await page.getByLabel('Developer').fill(developer);
      await page.keyboard.press('Control+s');
      await page.getByRole('main').getByText(developer).waitFor();
    }
    await context.clearCookies();
    await page.keyboard.press('Control+z');
    await signIn();
    await page.getByRole('main').getByText('First Hand').waitFor();
    expect(await page.getByText('Sign in to continue').count()).toBe(0);

    await context.clearCookies();
    await page.getByRole('button', { name: 'Revert to imported: Developer' }).click();
    await signIn();
    await page.getByRole('main').getByText('First Hand').waitFor({ state: 'detached' });
  });

  test('opens the previous and next release with [ and ]', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    const tiles = page.getByRole('list', { name: 'Releases' }).getByRole('listitem');
    await tiles.first().waitFor();
    const names = (await tiles.allTextContents()).map((each) => each.split('(')[0]?.trim() ?? '');
    await tiles.nth(4).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: names[4] ?? '' }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('heading', { level: 1, name: names[5] ?? '' }).waitFor();
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await page.getByRole('heading', { level: 1, name: names[3] ?? '' }).waitFor();
  });

  test('links to no other release in a list of one', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases?search=quartz+quest');
    await page.getByRole('listitem').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Quartz Quest' }).waitFor();
    const neighbours = page.getByRole('main').getByRole('navigation').getByRole('link');
    expect(await neighbours.allTextContents()).toEqual(['All releases']);
  });

  test('shows hostile names as plain text, even when edited', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    for (const name of hostileNames) {
      await page.goto(`/releases/${await server.idOf(name.slice(0, 20))}`);
      await page.getByRole('heading', { level: 1, name: 'Ace' }).waitFor();
      await page.keyboard.press('e');
      expect((await page.getByLabel('Name').inputValue()).startsWith('Ace ')).toBe(true);
    }
  });

  test('copies a checksum even without the clipboard API', { tags: ['full'] }, async () => {
    const { port } = new URL(server.url);
    const visitor = await visit(`http://catalog.lan:${port}`, {
      args: ['--host-resolver-rules=MAP catalog.lan 127.0.0.1'],
    });
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.goto(`/releases/${await server.idOf('Amber')}`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.getByText('ROMs and checksums').click();
    await page.getByRole('button', { name: 'Copy SHA-1' }).click();
    await page.getByText('Copied').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Control+v');
    expect(await page.getByRole('searchbox').inputValue()).toMatch(/^[0-9a-f]{40}$/);
  });
});
