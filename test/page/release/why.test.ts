import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';

let server: TestServer;
let set: number;
beforeAll(async () => {
  server = await openTestServer();
  const names = ['Nova Lancer (Europe)', 'Nova Lancer (Japan)', 'Nova Lancer (USA) (Demo)'];
  const games = names.map((name, at) => ({
    name,
    region: /\((\w+)\)/.exec(name)?.[1] ?? '',
    roms: [{ name: 'v.bin', size: '9', crc: '0'.repeat(8), sha1: `${at}`.repeat(40) }],
  }));
  await importGames(server, games, 'Bandai - Playdia');
  const prefer = { one_per_game: true, regions: ['Europe', 'Japan'], avoid: ['Demo'] };
  const rule = { field: 'search', contains: 'Nova' };
  set = await saveSet(server, 'user', { name: 'Best <of> all', rule, prefer });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const title = 'Why this version';

describeInBrowser('the explanation why a set chose a version', () => {
  test('is shown for the set from which the release was opened', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${set}`);
    await page.getByRole('link', { name: /Nova Lancer/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova Lancer (Europe)' }).waitFor();
    const section = page.locator('section', { hasText: title });
    await section.getByText('In the set “Best <of> all”:').waitFor();
    const reasons = (await section.getByRole('listitem').allTextContents()).map((text) =>
      text.replace(/\s+/g, ' ').trim(),
    );
    expect(reasons).toEqual([
      'Nova Lancer (Japan) Europe is preferred',
      'Nova Lancer (USA) (Demo) has a label that the set avoids',
    ]);
    await picture(page, 'why-chosen');
    expect(await audit(page)).toEqual([]);
    await section.getByRole('link', { name: 'Nova Lancer (Japan)' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova Lancer (Japan)' }).waitFor();
    await section.getByText('Not in the set “Best <of> all”:').waitFor();
    await section.getByText('Europe is preferred').waitFor();
    await section.getByRole('link', { name: 'Nova Lancer (Europe)' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova Lancer (Europe)' }).waitFor();
  });

  test('states that the library has none of the versions if none was chosen', {
    tags: ['full'],
  }, async () => {
    const prefer = { one_per_game: true, among: 'library' };
    const rule = { field: 'search', contains: 'Nova' };
    const owned = await saveSet(server, 'editor', { name: 'Owned', rule, prefer });
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan)')}?set=${owned}`);
    const section = page.locator('section', { hasText: title });
    await section.getByText('Not in the set “Owned”:').waitFor();
    await section.getByText('your library has none of the versions').waitFor();
    expect(await section.getByText('Chosen instead:').count()).toBe(0);
  });

  test('changes when a version is split off, and when that is undone', {
    tags: ['full'],
  }, async () => {
    const prefer = { one_per_game: true, regions: ['Europe', 'Japan'] };
    const rule = { field: 'search', contains: 'Nova' };
    const names = ['Opened', 'Other'] as const;
    const [opened] = await Promise.all(
      names.map((name) => saveSet(server, 'editor', { name, rule, prefer })),
    );
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan)')}?set=${opened}`);
    await page.getByText('Not in the set “Opened”:').waitFor();
    await page.getByText('In your sets').click();
    await page.getByText('Not in the set “Other”:').waitFor();
    await page.getByRole('button', { name: 'This is another game: Nova Lancer (Europe)' }).click();
    await page.getByText('In the set “Opened”:').waitFor();
    await page.getByText('In the set “Other”:').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not in the set “Opened”:').waitFor();
    await page.getByText('Not in the set “Other”:').waitFor();
  });

  test("is shown for the user's own sets, in German, on a narrow screen", {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user', { width: 320, locale: 'de-DE' });
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan)')}`);
    await page.getByText('In deinen Auswahlen').click();
    await page.getByText('Nicht in der Auswahl „Best <of> all“:').waitFor();
    await page.getByText('Europe geht vor').waitFor();
    await picture(page, 'why-320');
    expect(await audit(page)).toEqual([]);
  });

  test('is not shown for a set that does not exist', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Europe)')}?set=999999`);
    await page.locator('section', { hasText: title }).waitFor();
    expect(await page.getByText(/the set “/).count()).toBe(0);
  });
});
