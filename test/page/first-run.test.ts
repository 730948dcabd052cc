import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { libretroZip } from '../imports/catalogue/archive.ts';
import { game, xml } from '../imports/support/dat-text.ts';
import { zipOf } from '../imports/support/zip-file.ts';
import { makeIso } from '../support/images/disc-images.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { audit, findOverflow, layoutShift } from './support/audit.ts';
import { closeBrowser, describeInBrowser, leave, picture, visit } from './support/browser.ts';
import { drawCover } from './support/drawn-covers.ts';
import { signIn } from './support/test-server.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

const skipReason = toolsSkipReason('xorriso');
const platform = 'Sony - PlayStation';
afterAll(closeBrowser);

/**
 * Makes two discs below `root` with xorriso. Returns the path of a zip with the DAT that lists the
 * discs.
 */
function addDiscs(sandbox: Sandbox, root: string): string {
  mkdirSync(root);
  const rows = ['One', 'Two'].map((word) => {
    const image = makeIso({ 'HELLO.TXT': word }, { sysid: 'PLAYSTATION', volid: word });
    writeFileSync(join(root, `${word.toLowerCase()}.iso`), image);
    const digest = (kind: string) => createHash(kind).update(image).digest('hex');
    const name = `Disc ${word} (Europe)`;
    const hashes = { sha1: digest('sha1'), md5: digest('md5') };
    return { name, roms: [{ name: `${name}.iso`, size: image.length, ...hashes }] };
  });
  const zip = join(sandbox.folder, 'dats.zip');
  writeFileSync(zip, zipOf([{ name: 'psx.dat', content: xml(rows, platform) }]));
  return zip;
}

/**
 * Starts a server of covers with the layout of libretro. The server has a cover of the first disc
 * only.
 */
async function serveCovers(cover: Buffer): Promise<string> {
  const wanted = `/${encodeURIComponent(platform)}/Named_Boxarts/${encodeURIComponent('Disc One (Europe)')}.png`;
  const server = createServer(({ url }, response) => {
    const isThere = url === wanted;
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'image/png' });
    response.end(isThere ? cover : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server whose zip of DATs ends when `finish` is called. */
async function serveCatalogue(): Promise<{ url: string; finish: () => Promise<void> }> {
  const zip = libretroZip();
  // The page may show the download before its request arrives, so `finish` waits for the request.
  const { promise: requested, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    response.write(zip.subarray(0, 100));
    resolve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const finish = async () => void (await requested).end(zip.subarray(100));
  return { url: `http://127.0.0.1:${port}/master.zip`, finish };
}

async function finished(page: Page, name: string): Promise<void> {
  const findings = await findOverflow(page);
  await picture(page, `first-run-${name}-1440-light`);
  await page.setViewportSize({ width: 360, height: 780 });
  findings.push(...(await audit(page)));
  await picture(page, `first-run-${name}-360-light`);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(findings).toEqual([]);
}

describeInBrowser('the screen for the first run', () => {
  test.skipIf(skipReason !== null)(
    `fills the catalogue with DATs, a scan and covers through the page alone ${skipReason ?? ''}`,
    async () => {
      const sandbox = await useSandbox();
      const root = join(sandbox.folder, 'games');
      const zip = addDiscs(sandbox, root);
      const drawing = await visit('http://127.0.0.1');
      const cover = await drawCover(drawing.page, {
        ...{ type: 'png' as const, width: 300, height: 300, seed: 5 },
      });
      await leave(drawing);
      const source = await serveCovers(cover);
      const catalogue = await serveCatalogue();
      const server = await sandbox.serve([
        ...['--games-root', root, '--cover-source', source],
        ...['--catalogue-source', catalogue.url],
      ]);
      const visitor = await visit(server.url);
      onTestFinished(() => leave(visitor));
      const { page } = visitor;
      await signIn(page, 'admin');
      await page.goto('/releases');
      const step = (name: string) =>
        page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name }) });
      await step('Import DATs').getByText('Drop DAT files').waitFor();
      await step('Scan your files').getByText('never scanned').waitFor();
      const ofMine = step('Download covers').getByRole('button', { name: /what I own/ });
      const ofAll = step('Download covers').getByRole('button', { name: /all releases/ });
      expect(await ofMine.isDisabled()).toBe(true);
      expect(await ofAll.isDisabled()).toBe(true);
      await waitUntilIdle(page);
      expect(await layoutShift(page)).toBeLessThan(0.02);
      await finished(page, 'empty');

      await page.getByRole('button', { name: 'Get the libretro catalogue' }).click();
      await step('Import DATs').getByText('Downloading').waitFor();
      await finished(page, 'downloading');
      await catalogue.finish();
      await step('Import DATs').getByText('New releases').waitFor();
      await page.getByText('2 releases in the catalogue').waitFor();
      await expect.poll(() => ofAll.isEnabled()).toBe(true);
      expect(await ofMine.isDisabled()).toBe(true); // nothing is scanned yet

      await page.locator('input[type=file][multiple]').setInputFiles(zip);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('4 releases in the catalogue').waitFor();
      await finished(page, 'imported');

      await page.getByRole('button', { name: 'Scan with checksums' }).click();
      const scan = step('Scan your files');
      await scan.getByText('Done', { exact: true }).first().waitFor();
      await scan.getByText('2 files', { exact: false }).first().waitFor();
      const values = scan.getByRole('definition');
      await values.first().waitFor();
      expect((await values.allTextContents()).slice(0, 2)).toEqual(['2', '2']); // files and matches

      await ofMine.click();
      await step('Download covers').getByText('Covers saved').waitFor();
      await finished(page, 'done');
      // The page shows the result until the user dismisses it.
      await page.getByRole('button', { name: 'Open Catalog' }).click();
      await page.getByRole('heading', { level: 1, name: 'Collection' }).waitFor();
      await page.getByText('2 releases').waitFor();
      await page
        .getByRole('link', { name: /Disc One/ })
        .first()
        .click();
      await page.getByRole('img', { name: 'Cover of Disc One (Europe)' }).waitFor();
      await page.getByText('matched by SHA-1').waitFor();
      await page.getByRole('link', { name: 'All releases', exact: true }).first().click();
      await page.getByText('4 releases').waitFor();
      await page.goto('/imports');
      await page.getByRole('button', { name: 'Get the libretro catalogue' }).waitFor();
    },
  );

  test('is shown only at a URL without a query, and until releases exist', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const visitor = await visit(server.url);
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await signIn(page, 'admin');
    await page.goto('/releases?search=zelda');
    await page.getByText('No release matches').waitFor();
    expect(page.url()).toContain('/releases?search=zelda');
    expect(await page.getByText('Welcome to Catalog').count()).toBe(0);
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to Catalog' }).waitFor();
    const dat = join(sandbox.folder, 'one.dat');
    writeFileSync(dat, xml([game('A Game', 'seed')], platform));
    await sandbox.run(['import', dat]);
    await page.getByText('1 release', { exact: true }).waitFor();
    expect(await page.getByText('Welcome to Catalog').count()).toBe(0);
  });

  test('asks anonymous users to sign in, and other users to wait', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const args = ['users', 'add', 'user', '--role', 'user', '--password-stdin'];
    await sandbox.run(args, { stdin: 'user\n' });
    const visitor = await visit(server.url, { viewport: { width: 360, height: 780 } });
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.goto('/releases');
    await page.getByText('Three steps').waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, 'first-run-360-light');
    await page.getByLabel('Username').fill('user');
    await page.getByLabel('Password').fill('user');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The catalogue is still empty, user').waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });
});
