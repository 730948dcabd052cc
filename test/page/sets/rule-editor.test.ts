import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { openPage } from '../support/visitors.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const count = (page: Page) => page.locator('form').getByRole('status').last();
const covers = (page: Page) =>
  page.getByRole('list', { name: 'The first of them by name:' }).getByRole('listitem');
const box = (page: Page, field: string) =>
  page.getByRole('combobox', { name: `Add: ${field}`, exact: true });
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
const ruleOf = async (page: Page, id: number) =>
  ((await (await page.request.get(`/api/sets/${id}`)).json()) as { rule: object }).rule;

/** Waits until the live count shows this text. */
const waitForCount = (page: Page, text: string) =>
  expect.poll(() => count(page).textContent()).toBe(text);

describeInBrowser('the rule editor', () => {
  test('creates a set by keyboard alone, with a live count and the first covers', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/');
    await page.getByRole('link', { name: 'New set' }).click();
    await page.getByRole('heading', { level: 1, name: 'New set', exact: true }).waitFor();
    await waitForCount(page, '401 releases');
    await expect.poll(() => covers(page).count()).toBe(12);
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('By keyboard');
    await box(page, 'Platform').focus();
    await page.keyboard.type('umd');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /UMD Video\) 17/ })
      .waitFor();
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await waitForCount(page, '17 releases');
    // The field is ready for the next value.
    await page.keyboard.type('sony - playstation');
    await page.keyboard.press('Enter');
    await waitForCount(page, '78 releases');
    await page.getByRole('button', { name: 'Add condition' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Field');
    await page.keyboard.type('Reg');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect.poll(() => focusedName(page)).toBe('Add: Region');
    await page.keyboard.type('Europe');
    await page.keyboard.press('Enter');
    await waitForCount(page, '17 releases');
    await page.getByRole('group', { name: 'Region is not Europe', exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('“By keyboard” was saved').waitFor();
    await page.waitForURL(/\/releases\?set=\d+$/);
    const id = Number(new URL(page.url()).searchParams.get('set'));
    expect(await ruleOf(page, id)).toEqual({
      all: [
        {
          field: 'platform',
          in: ['Sony - PlayStation Portable (UMD Video)', 'Sony - PlayStation'],
        },
        { not: { field: 'region', is: 'Europe' } },
      ],
    });
  });

  test('adds and removes conditions and groups', { tags: ['full'] }, async () => {
    const rule = { field: 'platform', is: 'Sony - PlayStation' };
    const id = await saveSet(server, 'user', { name: 'Grows', rule });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    await waitForCount(page, '61 releases');
    await page.getByRole('button', { name: 'Add group' }).click();
    const group = page.getByRole('group', { name: 'Group: Any of' });
    await expect.poll(() => focusedName(page)).toBe('How the conditions are combined');
    await group.getByLabel('Field').selectOption('Name or serial');
    await group.getByLabel('Name or serial: text').fill('amber');
    await group.getByRole('button', { name: 'Add condition' }).click();
    await group.getByLabel('Field').last().selectOption('Name or serial');
    await group.getByLabel('Name or serial: text').last().fill('quartz');
    await waitForCount(page, '6 releases');
    await group.getByLabel('How the conditions are combined').selectOption('None of');
    await waitForCount(page, '55 releases');
    const none = page.getByRole('group', { name: 'Group: None of' });
    await none
      .getByRole('button', { name: 'Remove condition: Name or serial contains “amber”' })
      .click();
    await expect.poll(() => focusedName(page)).toBe('Field'); // of the next condition
    await waitForCount(page, '58 releases');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grows', exact: true }).waitFor();
    expect(await ruleOf(page, id)).toEqual({
      all: [rule, { not: { any: [{ field: 'search', contains: 'quartz' }] } }],
    });
    await page.getByRole('link', { name: 'Edit' }).click();
    await none.getByRole('button', { name: 'Remove group' }).click();
    await page.locator('button:focus', { hasText: 'Add condition' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grows', exact: true }).waitFor();
    expect(await ruleOf(page, id)).toEqual({ all: [rule] });
  });

  test('shows conditions of many kinds in a saved rule, and saves the rule unchanged', {
    tags: ['full'],
  }, async () => {
    const rule = {
      any: [
        { not: { not: { field: 'year', in: [1995, 1996] } } },
        { not: { all: [{ field: 'library', is: 'have' }, { any: [] }] } },
        { field: 'language', in: ['En'] },
        { field: 'cover', is: 'have' },
        { field: 'franchise', contains: 'ace' },
        { field: 'added_days', from: 1 },
        { field: 'release_ids', in: Array.from({ length: 40 }, (_, at) => at + 1) },
        { field: 'developer', in: [] },
        { field: 'system', is: 'videos' },
      ],
    };
    const id = await saveSet(server, 'user', { name: 'By program', rule });
    const other = await saveSet(server, 'user', {
      name: 'Around it',
      rule: { not: { field: 'set', is: id } },
    });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    for (const sentence of [
      'Year is 1995 or 1996',
      'Ownership is Owned',
      'Language is English',
      'Cover is Available',
      'Franchise contains “ace”',
      'Days since it was added is at least 1',
      'Release is one of 40 chosen releases',
      'Developer is nothing',
      'Type is Videos',
    ])
      await page.getByRole('group', { name: sentence, exact: true }).waitFor();
    await page.getByText('No conditions: no release.').waitFor();
    await page
      .getByRole('button', { name: /^Remove Amber Delta/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'and 16 more' }).click();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed', exact: true }).waitFor();
    expect(await ruleOf(page, id)).toEqual(rule);
    await page.goto(`/sets/${other}`);
    await page.getByRole('group', { name: 'Set is not Renamed' }).waitFor();
    await box(page, 'Set').click();
    await page.getByRole('option', { name: 'Renamed' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('option', { name: 'Around it' }).count()).toBe(0);
  });

  test('selects releases by a tag, and keeps the focus when a value is removed', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/sets/new');
    await page.getByLabel('Name', { exact: true }).fill('Tagged');
    await page.getByLabel('Field').selectOption('Tag');
    for (const tag of ['Prototype', 'Demo', 'Beta']) {
      await box(page, 'Tag').fill(tag);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Remove Demo' }).press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Remove Beta');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Add: Tag');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tag is Prototype').waitFor();
    await page.waitForURL(/\/releases\?set=\d+$/);
    const id = Number(new URL(page.url()).searchParams.get('set'));
    expect(await ruleOf(page, id)).toEqual({ all: [{ field: 'tag', is: 'Proto' }] });
  });

  test('selects releases by their covers', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/sets/new');
    await page.getByLabel('Name', { exact: true }).fill('Covered');
    await page.getByLabel('Field').selectOption('Cover');
    await box(page, 'Cover').click();
    await page.getByRole('option', { name: 'Available' }).click();
    await page.getByRole('button', { name: 'Remove Available' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Cover is Available').waitFor();
    await page.waitForURL(/\/releases\?set=\d+$/);
    const id = Number(new URL(page.url()).searchParams.get('set'));
    expect(await ruleOf(page, id)).toEqual({ all: [{ field: 'cover', is: 'have' }] });
  });

  test('finds releases to choose by their names', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/sets/new');
    await page.getByLabel('Name', { exact: true }).fill('Chosen');
    await page.getByLabel('Field').selectOption('Release');
    await box(page, 'Release').fill('quest quartz');
    await page.getByRole('option', { name: /Quartz Quest/ }).click();
    await page.getByRole('button', { name: 'Remove Quartz Quest (Europe)' }).waitFor();
    await waitForCount(page, '1 release');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Release is one of 1 chosen releases').waitFor();
  });
});

describeInBrowser('errors in the rule editor', () => {
  test('are shown at the condition that they name until the condition is corrected', async () => {
    const rule = {
      all: [{ field: 'system', is: 'games' }, { any: [{ field: 'region', is: 'Europe' }] }],
    };
    const id = await saveSet(server, 'user', { name: 'Wrong', rule });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    const group = page.getByRole('group', { name: 'Group: Any of' });
    await group.getByRole('button', { name: 'Add condition' }).click();
    await group.getByLabel('Field').last().selectOption('Language');
    await box(page, 'Language').fill('klingonese');
    await page.keyboard.press('Enter');
    const wrong = page.getByRole('group', { name: 'Language is klingonese', exact: true });
    await wrong.getByRole('alert').getByText('Enter a language as a code').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await box(page, 'Language').getAttribute('aria-invalid')).toBe('true');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await wrong.getByRole('alert').waitFor();
    await expect.poll(() => focusedName(page)).toBe('Add: Language');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('En');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Wrong', exact: true }).waitFor();
  });

  test('ask for a missing value, and state the range of years', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/sets/new');
    await page.getByLabel('Name', { exact: true }).fill('Empty');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Choose a value').waitFor();
    await expect.poll(() => focusedName(page)).toBe('Add: Platform');
    await page.getByLabel('Field').selectOption('Year');
    await page.getByLabel('Comparison').selectOption('is between');
    await page.getByLabel('Year: from').fill('99999');
    await page.getByRole('alert').getByText('Enter whole numbers from 0 to 9999.').waitFor();
  });

  test('are shown in German', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user', { locale: 'de-DE' });
    await page.goto('/sets/new');
    await page.getByLabel('Name', { exact: true }).fill('4711');
    await page.getByLabel('Feld').selectOption('Sprache');
    await page.getByRole('combobox', { name: 'Hinzufügen: Sprache' }).fill('deu');
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('und ist keine Zahl').waitFor();
    expect(await audit(page)).toEqual([]);
  });
});

describeInBrowser('the preview of a rule', () => {
  test('shows the newest response, also if an older one arrives later', async () => {
    const { page } = await openPage(server, 'user');
    const held: Route[] = [];
    await page.goto('/sets/new');
    await waitForCount(page, '401 releases');
    await page.route('**/api/sets/preview*', async (route) => {
      if (route.request().postData()?.includes('amber quartz')) await route.continue();
      else held.push(route);
    });
    await page.getByLabel('Field').selectOption('Name or serial');
    await page.getByLabel('Name or serial: text').fill('amber');
    await expect.poll(() => held.length).toBe(1);
    await page.getByLabel('Name or serial: text').fill('amber quartz');
    await page.getByText('No release meets this rule.').waitFor();
    await waitForCount(page, '0 releases');
    for (const route of held) await route.continue().catch(() => {});
    await page.getByLabel('Name or serial: text').fill('amber quartz ');
    await waitForCount(page, '0 releases');
    expect(await covers(page).count()).toBe(0);
  });
});

describeInBrowser('unsaved changes of a set', () => {
  test('are discarded only after a confirmation', { tags: ['full'] }, async () => {
    const id = await saveSet(server, 'user', { name: 'Unsaved', rule: { all: [] } });
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Changed');
    await page.getByRole('link', { name: 'Collection' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard changes?' });
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Changed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Unsaved', exact: true }).waitFor();
  });
});
