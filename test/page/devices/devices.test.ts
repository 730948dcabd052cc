import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { audit, findOverflow, findSmallTargets, layoutShift } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';

const psp = 'Sony - PlayStation Portable';

let server: TestServer;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  server = await openTestServer({ 'games-root': root });
  const content = 'disc';
  await writeFile(join(root, 'zenith.iso'), content);
  const sha1 = createHash('sha1').update(content).digest('hex');
  const name = 'Zenith Run (Europe)';
  await importGames(server, [{ name, roms: [{ name: `${name}.iso`, size: '4', sha1 }] }], psp);
  await server.catalog.scanner.scan({
    roots: server.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  await rm(root, { recursive: true });
});

async function saveSet(page: Page, name: string): Promise<void> {
  const data = { name, rule: { field: 'search', contains: 'Zenith' } };
  const response = await page.context().request.post('/api/sets', { data });
  expect([200, 409]).toContain(response.status());
}

/** Opens the dialog and goes to its second step. */
async function openSecondStep(page: Page, set: string, device = 'ES-DE') {
  await page.goto('/devices');
  await page.getByRole('button', { name: 'Connect a device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Step 1 of 3').waitFor();
  await dialog.getByLabel('Device or front end').selectOption(device);
  await dialog.getByLabel('Set', { exact: true }).selectOption(set);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByText('Step 2 of 3').waitFor();
  return dialog;
}

/** Returns the value that the dialog shows under a label. */
async function copied(page: Page, label: string): Promise<string> {
  const lines = page.getByRole('dialog').locator('.line');
  const line = lines.filter({ has: page.getByText(label, { exact: true }) });
  return (await line.locator('code').textContent()) ?? '';
}

describeInBrowser('the screen of devices', () => {
  test('connects a device by a secret URL, shows its last file, and revokes the URL', async () => {
    const { page } = await openPage(server, 'user');
    await saveSet(page, 'My PSP & more');
    const dialog = await openSecondStep(page, 'My PSP & more');
    await dialog.getByLabel('Streaming').check();
    await dialog.getByLabel('Name of the device').fill('Vita');
    await dialog.getByRole('button', { name: 'Create address' }).click();
    await dialog.getByText('Step 3 of 3').waitFor();
    const url = await copied(page, 'Address');
    expect(url).toMatch(new RegExp(`^${server.url}/play/[\\w-]{43}/es-de/$`));
    const { hostname, port, pathname } = new URL(url);
    expect(await copied(page, 'Remote Server')).toBe(hostname);
    expect(await copied(page, 'Remote Port')).toBe(port);
    expect(await copied(page, 'Remote Subdirectory')).toBe(pathname);
    const code = dialog.getByRole('img', { name: 'QR code of the address' });
    await expect.poll(() => code.locator('path').getAttribute('d')).toMatch(/^M4 4h1/);
    expect(await audit(page)).toEqual([]);
    await picture(page, 'devices-connected');
    const file = `${url}ROMs/psp/${encodeURIComponent('Zenith Run (Europe).iso')}`;
    expect(await (await fetch(file)).text()).toBe('disc');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByText(/^Last file: Zenith Run \(Europe\)\.iso, /).waitFor();
    await picture(page, 'devices-list');
    await page.getByRole('button', { name: 'Revoke Vita' }).click();
    await page.getByRole('heading', { name: 'Revoke “Vita”?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke Vita' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No device streams yet.').waitFor();
    expect((await fetch(file)).status).toBe(404);
  });

  test('shows a command, a WebDAV URL and an export for the other ways to connect', async () => {
    const { page } = await openPage(server, 'user');
    await saveSet(page, `Ann's set`);
    const dialog = await openSecondStep(page, `Ann's set`, 'Batocera');
    const next = dialog.getByRole('button', { name: 'Next' });
    await dialog.getByLabel('Folder or card').check();
    await next.click();
    expect(await copied(page, 'Command')).toBe(
      `catalog build 'Ann'\\''s set' --profile batocera --to DIR`,
    );
    await picture(page, 'devices-folder');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await openSecondStep(page, `Ann's set`);
    await dialog.getByLabel('WebDAV').check();
    await next.click();
    const folder = encodeURIComponent(`Ann's set`);
    expect(await copied(page, 'Address')).toBe(`${server.url}/dav/${folder}/es-de/`);
    expect(await copied(page, 'User name')).toBe('user');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await openSecondStep(page, `Ann's set`);
    await dialog.getByLabel('Download').check();
    await next.click();
    const link = dialog.getByRole('link', { name: 'Download' });
    expect(await link.getAttribute('href')).toMatch(/^\/api\/sets\/\d+\/export\/es-de$/);
    expect(await audit(page)).toEqual([]);
  });

  test('is reached from the account menu, and connects a device by keyboard alone', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await saveSet(page, 'Keys');
    await page.goto('/');
    await page.getByRole('button', { name: 'editor' }).press('Enter');
    await page.getByRole('link', { name: 'Devices' }).press('Enter');
    await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Connect a device' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Step 1 of 3').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused).toBe('SELECT');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('Step 2 of 3').waitFor();
    await expect.poll(focused).toBe('INPUT');
    await page.keyboard.press('Enter');
    await dialog.getByText('Step 3 of 3').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('button', { name: /^Revoke / }).waitFor();
  });

  test('suggests the type of a device as its name until the user types a name', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await saveSet(page, 'Names');
    const dialog = await openSecondStep(page, 'Names');
    await dialog.getByLabel('Streaming').check();
    const name = dialog.getByLabel('Name of the device');
    const chooseDevice = async (title: string) => {
      await dialog.getByRole('button', { name: 'Back' }).click();
      await dialog.getByRole('combobox').first().selectOption(title);
      await dialog.getByRole('button', { name: 'Next' }).click();
      await name.waitFor();
    };
    for (const title of ['Batocera', 'RetroArch']) {
      await chooseDevice(title);
      expect(await name.inputValue()).toBe(title);
    }
    await name.fill('Mine');
    await chooseDevice('Batocera');
    expect(await name.inputValue()).toBe('Mine');
  });

  test('keeps its dialog open until the URL is created, even after pressing Escape', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await saveSet(page, 'Slow');
    const dialog = await openSecondStep(page, 'Slow');
    await dialog.getByLabel('Streaming').check();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/devices', async (route) => {
      if (route.request().method() === 'POST') await held.promise;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Create address' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await dialog.isVisible()).toBe(true);
    held.resolve();
    await dialog.getByText('Step 3 of 3').waitFor();
    expect(await copied(page, 'Address')).toContain('/play/');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });

  test('links to a new set if there is none, and asks to sign in again', async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/devices');
    await page.getByText('No device streams yet.').waitFor();
    await page.getByRole('button', { name: 'Connect a device' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'New set' }).waitFor();
    await page.keyboard.press('Escape');
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Username').waitFor();
    expect(await audit(page)).toEqual([]);
  });
});

describeInBrowser('the steps to connect a device', () => {
  for (const [locale, scheme] of [
    ['en-GB', 'light'],
    ['de-DE', 'dark'],
  ] as const) {
    test(`fit every width in ${locale}, ${scheme}`, { tags: ['full'] }, async () => {
      const { page } = await openPage(server, 'user', {
        locale,
        colorScheme: scheme,
        hasTouch: true,
      });
      await saveSet(page, 'A set with a rather long name for narrow screens');
      await page.goto('/devices');
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: /^(Connect a device|Gerät verbinden)$/ }).click();
      for (const step of [1, 2, 3]) {
        await dialog.getByText(new RegExp(`^(Step|Schritt) ${step} `)).waitFor();
        for (const width of [320, 360, 768, 1440, 2560]) {
          await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
          await waitUntilIdle(page);
          await picture(page, `devices-step-${step}-${locale.slice(0, 2)}-${width}`);
          expect.soft(await findOverflow(page), `step ${step}, ${width} px`).toEqual([]);
        }
        await page.setViewportSize({ width: 360, height: 780 });
        expect.soft(await audit(page)).toEqual([]);
        expect.soft(await findSmallTargets(page)).toEqual([]);
        if (step < 3) await dialog.locator('button[type=submit]').click();
      }
      expect(await layoutShift(page)).toBeLessThan(0.02);
    });
  }
});
