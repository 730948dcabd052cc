import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withDatabaseOf } from '../../support/data/database-of.ts';
import { importGames } from '../../support/data/dats.ts';
import { makeRar5 } from '../../support/images/rar.ts';
import { openAdminScreen } from '../support/admin-menu.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';

const gameBoy = 'Nintendo - Game Boy';
const count = 24;
const nameOf = (at: number) => `Zenith ${String(at).padStart(2, '0')} (Europe)`;

let server: TestServer;
let folder: string;
let stick: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-builds-'));
  const root = join(folder, 'library');
  stick = join(folder, 'stick');
  for (const each of [root, stick]) await mkdir(each);
  server = await openTestServer({
    'games-root': root,
    target: `stick=${stick},away=${join(folder, 'away')}`,
  });
  const games = [];
  for (let at = 0; at < count; at += 1) {
    const content = `content ${at}`;
    await writeFile(join(root, `${at}.gb`), content);
    const sha1 = createHash('sha1').update(content).digest('hex');
    const rom = { name: `${nameOf(at)}.gb`, size: `${content.length}`, sha1 };
    games.push({ name: nameOf(at), roms: [rom] });
  }
  await importGames(server, [...games, 'Zenith Lost (USA)'], gameBoy);
  await scan();
  const rule = { field: 'search', contains: 'Zenith' };
  await saveSet(server, 'admin', { name: 'Zenith', rule, shared: true });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  await rm(folder, { recursive: true });
});

async function scan(): Promise<void> {
  await server.catalog.scanner.scan({
    roots: server.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
}

/** Returns the row of a list of the plan or the result. */
const row = (page: Page, text: string) => page.locator('summary').filter({ hasText: text });

describeInBrowser('the screen of builds', () => {
  test('shows the plan of a build, starts the build, and undoes it', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases');
    await openAdminScreen(page, 'Builds');
    await page.getByLabel('Device or front end').selectOption('Batocera');
    await page.getByText('No build yet.').waitFor();
    expect(await page.getByLabel('Target').inputValue()).toBe('stick');

    await page.getByRole('button', { name: 'Show plan' }).click();
    const plan = page.getByRole('region', { name: 'Plan' });
    await plan.getByText('“Zenith” for Batocera on “stick”').waitFor();
    await plan.getByText('1 release of the set is not in your library.').waitFor();
    await row(page, `Add ${count + 1}`).click();
    const files = page.getByRole('list', { name: 'Add' }).getByRole('listitem');
    await expect.poll(() => files.count()).toBe(20);
    await files
      .first()
      .getByText(`gb/${nameOf(0)}.gb`)
      .waitFor();
    await plan.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => files.count()).toBe(count + 1);
    expect(await audit(page)).toEqual([]);

    await page.getByRole('button', { name: 'Build', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await row(page, `Added ${count + 1}`).waitFor();
    await page.getByText('Last: “Zenith” for Batocera').waitFor();
    await page.getByText(`${count + 1} files.`).waitFor();
    expect(await readFile(join(stick, `gb/${nameOf(7)}.gb`), 'utf8')).toBe('content 7');
    await result.getByText('“Zenith” for Batocera on “stick”').waitFor();

    await page.getByRole('button', { name: 'Undo build …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Last: “Zenith” for Batocera').waitFor();
    await dialog.getByText(`${count + 1} files.`).waitFor();
    await picture(page, 'builds-undo');
    await dialog.getByRole('button', { name: 'Undo build' }).click();
    await page.getByText('No build yet.').waitFor();
    await expect(readFile(join(stick, `gb/${nameOf(7)}.gb`))).rejects.toThrow('ENOENT');
  });

  test('takes images out of archives if requested', { tags: ['full'] }, async () => {
    const image = 'the image of a disc';
    const members = [{ name: 'x.iso', content: Buffer.from(image) }];
    await writeFile(join(folder, 'library', 'disc.rar'), makeRar5(members));
    const sha1 = createHash('sha1').update(image).digest('hex');
    const rom = { name: 'Nadir (Europe).iso', size: `${image.length}`, sha1 };
    const game = { name: 'Nadir (Europe)', roms: [rom] };
    await importGames(server, [game], 'Sony - PlayStation Portable');
    await scan();
    const rule = { field: 'search', contains: 'Nadir' };
    await saveSet(server, 'admin', { name: 'Zodiac', rule, shared: true });
    const { page } = await openPage(server, 'editor');
    await page.goto('/builds');
    await page.getByLabel('Set', { exact: true }).selectOption('Zodiac');
    await page.getByLabel('Device or front end').selectOption('Batocera');
    const plan = page.getByRole('button', { name: 'Show plan' });
    await plan.click();
    await row(page, 'Left out 1').click();
    await page.getByText('The device cannot read this archive, but the image in it.').waitFor();
    await page.getByLabel('Take images out of archives that the device cannot read.').check();
    await plan.click();
    await row(page, 'Add 2').click();
    await page.getByText('psp/Nadir (Europe).iso').waitFor();
    expect(await audit(page)).toEqual([]);
    // Build twice, to check that the second build does not remove the unpacked image.
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await row(page, 'Added 2').waitFor();
    await page.reload();
    const option = page.getByLabel('Take images out of archives that the device cannot read.');
    await expect.poll(() => option.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await row(page, 'Unchanged 2').waitFor();
    await option.uncheck();
    await plan.click();
    await row(page, 'Remove 2').waitFor();
    await page.getByRole('button', { name: 'Undo build …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo build' }).click();
    await page.getByText('No build yet.').waitFor();
    await expect.poll(() => option.isChecked()).toBe(false);
  });

  test('shows why a build fails, and conflicts with foreign files that it keeps', {
    tags: ['full'],
  }, async () => {
    await mkdir(join(stick, 'gb'), { recursive: true });
    await writeFile(join(stick, `gb/${nameOf(3)}.gb`), 'foreign');
    await rm(join(stick, '.catalog-build.jsonl'), { force: true });
    const { page } = await openPage(server, 'editor');
    await page.goto('/builds');
    await page.getByLabel('Device or front end').selectOption('Batocera');
    const build = page.getByRole('button', { name: 'Build', exact: true });
    await build.click();
    await page.getByText('The folder has other files.').waitFor();
    await page.getByLabel('Build even if the folder').check();
    await build.click();
    await row(page, 'Conflicts 1').click();
    await page.getByText('Another file has this name. It stays as it is.').waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await readFile(join(stick, `gb/${nameOf(3)}.gb`), 'utf8')).toBe('foreign');

    await page.getByLabel('Target').selectOption('away');
    await page.getByText('Not connected. Connect the device before you build.').waitFor();
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByText('The folder of the target is missing. Connect the device.').waitFor();
  });

  test.each([
    ['en-GB', 'light', 'Show plan', 'Left out'],
    ['de-DE', 'dark', 'Plan zeigen', 'Ausgelassen'],
  ] as const)(
    'fits a plan at each width (%s, %s)',
    { tags: ['full'] },
    async (locale, colorScheme, button, last) => {
      const { page } = await openPage(server, 'editor', { locale, colorScheme });
      await page.goto('/builds');
      const show = page.getByRole('button', { name: button });
      await expect.poll(() => show.isEnabled()).toBe(true);
      await show.press('Enter');
      await page.getByText(last).waitFor();
      for (const width of [320, 768, 1440, 2560]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await audit(page)).toEqual([]);
        await picture(page, `builds-plan-${locale}-${width}`);
      }
    },
  );

  test('opens with the set from which it was opened', { tags: ['full'] }, async () => {
    const rule = { field: 'search', contains: 'Zenith 0' };
    const id = await saveSet(server, 'admin', { name: 'Zenith first', rule, shared: true });
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases?set=${id}`);
    await page.getByRole('button', { name: 'Send to …' }).click();
    await page.getByRole('link', { name: 'Build on a device' }).click();
    await page.getByRole('heading', { level: 1, name: 'Builds' }).waitFor();
    expect(await page.getByLabel('Set', { exact: true }).inputValue()).toBe(`${id}`);
  });

  test('selects no other set in place of one that no longer exists', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/builds?set=999');
    const sets = page.getByLabel('Set', { exact: true });
    await sets.getByText('This set no longer exists').waitFor({ state: 'attached' });
    for (const name of ['Show plan', 'Build']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    expect(await audit(page)).toEqual([]);
    await sets.selectOption('Zenith');
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByRole('region', { name: 'Plan' }).getByText('“Zenith” for').waitFor();
  });

  test('selects no other target for an unavailable one, and disables its buttons', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/builds');
    const targets = page.getByLabel('Target');
    expect(await targets.inputValue()).toBe('stick');
    await page.getByRole('button', { name: 'Undo build …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the build on “stick”?' });
    await dialog.waitFor();
    await page.route('**/api/targets', async (route) => {
      const response = await route.fetch();
      const { items } = (await response.json()) as { items: { name: string }[] };
      await route.fulfill({
        response,
        json: { items: items.filter(({ name }) => name === 'away') },
      });
    });
    // The page reads the targets again after it lost its connection.
    await page.route('**/api/jobs?*', (route) => route.abort(), { times: 1 });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await dialog.getByText('This target is not available').waitFor();
    const undo = dialog.getByRole('button', { name: 'Undo build' });
    expect(await undo.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await targets.locator('option:checked').textContent()).toBe('stick');
    await page.getByText('This target is not available').waitFor();
    for (const name of ['Show plan', 'Build', 'Undo build …']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    expect(await audit(page)).toEqual([]);
    await picture(page, 'builds-target-gone');
    await targets.selectOption('away');
    await page.getByText('Not connected. Connect the device before you build.').waitFor();
    expect(await page.getByRole('button', { name: 'Show plan' }).isDisabled()).toBe(false);
  });

  test('shows that a build waits for the server of its target', { tags: ['full'] }, async () => {
    await withDatabaseOf(server, (engine) =>
      engine.write((trx) =>
        trx
          .insertInto('build_target')
          .values({ name: 'far', host: 'nas.1', seen_at: Date.now(), last_build: null })
          .execute(),
      ),
    );
    const { page } = await openPage(server, 'editor');
    await page.goto('/builds');
    await page.getByLabel('Target').selectOption('far');
    await page.getByText('On the server nas.').waitFor();
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByText('Waiting for the server of the target').waitFor();
    await page.getByRole('button', { name: 'Stop: Build preview' }).click();
    await page.getByText('It was stopped.').waitFor();
  });

  test('offers no plan to a user who is not an editor', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/builds');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Show plan' }).count()).toBe(0);
  });
});
