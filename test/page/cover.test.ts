import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layoutShift } from './support/audit.ts';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { drawCover } from './support/drawn-covers.ts';
import { dropOrPaste } from './support/drop-or-paste.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

/** Returns the bytes of a release's cover, or null if the release has no cover. */
async function coverOf(id: number): Promise<Buffer | null> {
  const response = await fetch(`${server.url}/api/cover/${id}`);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
}

/** Returns true if the picture has loaded and comes from a cover of this width. */
function isSized(picture: Locator, width: number): Promise<boolean> {
  return picture.evaluate(
    (image, expected) => image instanceof HTMLImageElement && image.naturalWidth === expected,
    width,
  );
}

/** Adds a cover to the release on the screen, like an editor. */
async function pasteCover(page: Page, bytes: Buffer): Promise<void> {
  await dropOrPaste(page, 'paste', 'body', { name: 'c.png', type: 'image/png', bytes });
  await page.getByRole('button', { name: 'Use this cover' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

describeInBrowser('the cover of a release', () => {
  test('is added by button, drop or paste, with a preview before it is sent', async () => {
    const { page } = await openPage(server, 'editor');
    const id = await server.idOf('Delta');
    await page.goto(`/releases/${id}`);
    const bytes = await drawCover(page, { type: 'webp', width: 298, height: 512, seed: 4 });
    const file = { name: 'yes.webp', type: 'image/webp', bytes };
    await page.getByRole('group', { name: 'Cover' }).waitFor();
    const preview = page.getByRole('dialog', { name: 'New cover' });
    for (const how of ['drop', 'paste'] as const) {
      await dropOrPaste(page, how, how === 'drop' ? '[role=group]' : 'body', file);
      await preview.getByRole('img').waitFor();
      await preview.getByRole('button', { name: 'Cancel' }).click();
    }
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'yes.webp', mimeType: 'image/webp', buffer: bytes });
    await preview.getByRole('img').waitFor();
    await page.getByRole('button', { name: 'Use this cover' }).click();
    await page.getByText('Cover saved').waitFor();
    const shown = page.getByRole('img', { name: /Cover of/ });
    await shown.waitFor();
    const first = await shown.getAttribute('src');
    expect(first).toMatch(/width=(160|320|640)&tag=/);
    const other = await drawCover(page, { type: 'webp', width: 298, height: 512, seed: 9 });
    await dropOrPaste(page, 'paste', 'body', { ...file, bytes: other });
    await page.getByRole('button', { name: 'Use this cover' }).click();
    await expect.poll(() => shown.getAttribute('src')).not.toBe(first);
    expect((await fetch(`${server.url}/api/cover/${id}`)).headers.get('content-type')).toBe(
      'image/webp',
    );
  });

  test('is replaced by a drawn case if it is missing or only the icon of a disc', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Falcon Meadow 5 (Japan)')}`);
    const title = page.locator('[data-text="Falcon Meadow 5"]');
    await title.waitFor();
    const picture = page.getByRole('img', { name: /Cover of/ });
    for (const [size, isOnCase] of [
      [{ width: 144, height: 80 }, true],
      [{ width: 298, height: 512 }, false],
    ] as const) {
      await pasteCover(page, await drawCover(page, { type: 'png', ...size, seed: 3 }));
      await expect.poll(() => isSized(picture, size.width)).toBe(true);
      await title.waitFor({ state: isOnCase ? 'visible' : 'detached' });
    }
  });

  test('is refused before it is sent when it is not a picture or too large', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await page.goto(`/releases/${await server.idOf('Delta')}`);
    await page.getByRole('group', { name: 'Cover' }).waitFor();
    const no = { name: 'no.png', type: 'image/png', bytes: Buffer.from('no picture') };
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const big = { name: 'big.png', type: 'image/png', bytes: signature, padding: 20 * 1_048_576 };
    for (const how of ['drop', 'paste'] as const) {
      const on = how === 'drop' ? '[role=group]' : 'body';
      await dropOrPaste(page, how, on, no);
      await page.getByText('not a PNG, JPEG or WebP').waitFor();
      await dropOrPaste(page, how, on, big);
      await page.getByText('The picture is larger than 20 MiB').waitFor();
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(sent).toEqual([]);
  });

  test('is restored by undo after any change', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    const id = await server.idOf('Echo');
    await page.goto(`/releases/${id}`);
    await page.getByRole('group', { name: 'Cover' }).waitFor();
    const form = { type: 'png', width: 298, height: 512 } as const;
    const [one, two] = [
      await drawCover(page, { ...form, seed: 1 }),
      await drawCover(page, { ...form, seed: 2 }),
    ];
    const undo = page.getByRole('button', { name: 'Undo' });
    await pasteCover(page, one);
    await undo.click();
    await expect.poll(() => coverOf(id)).toBeNull();
    await page.getByRole('button', { name: 'Add cover' }).waitFor();

    await pasteCover(page, one);
    await pasteCover(page, two);
    expect(await coverOf(id)).toEqual(two);
    await page.getByText('Cover saved').waitFor();
    await undo.click();
    await expect.poll(() => coverOf(id)).toEqual(one);
    await undo.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Remove cover' }).click();
    await page.getByText('Cover removed').waitFor();
    expect(await coverOf(id)).toBeNull();
    await page.keyboard.press('Control+z');
    await expect.poll(() => coverOf(id)).toEqual(one);
    await page.getByRole('img', { name: /Cover of/ }).waitFor();

    // Repeat the undo while another page is open.
    await page.getByRole('button', { name: 'Remove cover' }).click();
    await page.getByText('Cover removed').waitFor();
    await page.getByRole('link', { name: 'All releases' }).first().click();
    await page.getByText('400 releases').waitFor();
    await undo.click();
    await expect.poll(() => coverOf(id)).toEqual(one);
  });

  test('is removed after signing in again when the session ended', {
    tags: ['full'],
  }, async () => {
    const { page, context } = await openPage(server, 'editor');
    const id = await server.idOf('Comet River 2 (Japan)');
    await page.goto(`/releases/${id}`);
    await page.getByRole('group', { name: 'Cover' }).waitFor();
    await pasteCover(
      page,
      await drawCover(page, { type: 'png', width: 298, height: 512, seed: 1 }),
    );
    await page.getByText('Cover saved').waitFor();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Remove cover' }).click();
    await page.getByText('Sign in to continue').waitFor();
    await page.getByLabel('Username').fill('editor');
    await page.getByLabel('Password').fill('editor');
    await page.keyboard.press('Enter');
    await page.getByText('Cover removed').waitFor();
    expect(await coverOf(id)).toBeNull();
    expect(await page.getByText('Sign in to continue').count()).toBe(0);
  });

  test('stays close above its buttons, even when flat, and shifts nothing when it loads', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    const id = await server.idOf('Falcon');
    await page.goto(`/releases/${id}`);
    await page.getByRole('group', { name: 'Cover' }).waitFor();
    await pasteCover(
      page,
      await drawCover(page, { type: 'png', width: 600, height: 300, seed: 3 }),
    );
    for (const isFresh of [false, true]) {
      if (isFresh) await page.reload();
      const cover = page.getByRole('img', { name: /Cover of/ });
      await cover.and(page.locator('.shown')).waitFor();
      const { y = 0, height = 0 } = (await cover.boundingBox()) ?? {};
      const buttons = await page.getByRole('button', { name: 'Change cover' }).boundingBox();
      expect((buttons?.y ?? 1000) - y - height).toBeLessThan(40);
    }
    expect(await layoutShift(page)).toBeLessThan(0.02);
  });
});
