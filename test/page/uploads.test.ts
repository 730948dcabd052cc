import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { useSandbox } from '../support/process.ts';
import { audit } from './support/audit.ts';
import { auditWidths } from './support/audit-widths.ts';
import { closeBrowser, describeInBrowser, leave, picture, visit } from './support/browser.ts';
import { dropOrPaste } from './support/drop-or-paste.ts';
import { openTestServer, signIn, type TestServer } from './support/test-server.ts';
import { openPage, openVisitor } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

const MIB = 1_048_576;
let server: TestServer;
const folder = mkdtempSync(join(tmpdir(), 'catalog-chosen-'));
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const stored = (name: string) => readFileSync(join(server.data, 'store/games', name));

/** Writes a file for a file chooser. The default content is random bytes. */
function makeFile(
  name: string,
  size: number,
  bytes: Buffer = randomBytes(size),
): { path: string; bytes: Buffer } {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
  return { path, bytes };
}

/** Stores an archive directly, without the page. */
async function store(name: string): Promise<void> {
  async function* bytes() {
    yield Buffer.from(name);
  }
  const staged = await server.catalog.store.stage('games', bytes());
  await server.catalog.store.save('games', name, staged, { kind: 'system' });
}

const choose = (page: Page, paths: string | string[]) =>
  page.locator('input[type=file][multiple]').setInputFiles(paths);
const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name });
const waitForText = (page: Page, name: string, text: string | RegExp) =>
  row(page, name).getByText(text).waitFor({ timeout: 120_000 });

/**
 * Returns the total size of all files below a folder, in bytes. Returns 0 if the folder does not
 * exist.
 */
const bytesIn = (path: string) =>
  (existsSync(path) ? readdirSync(path, { recursive: true, withFileTypes: true }) : [])
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

describeInBrowser('the screen of the store', () => {
  test('uploads a folder of twenty files, and lists them', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/store');
    const files = Array.from({ length: 20 }, (_, at) =>
      makeFile(`twenty/File ${at}.zip`, 100_000 + at),
    );
    makeFile('twenty/.DS_Store', 10);
    await page.locator('input[webkitdirectory]').setInputFiles(join(folder, 'twenty'));
    const rows = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
    const summary = page.getByRole('button', { name: 'Uploads', exact: true });
    await page.getByText('20 of 20 done').waitFor({ timeout: 120_000 });
    expect([await rows.count(), await summary.getAttribute('aria-expanded')]).toEqual([0, 'false']);
    await summary.click();
    expect(await rows.count()).toBe(20);
    await summary.click();
    expect(await rows.count()).toBe(0);
    expect(await auditWidths(page, 'store-summary')).toEqual([]);
    await summary.click();
    for (const [at, { bytes }] of files.entries()) {
      expect(stored(`File ${at}.zip`).equals(bytes)).toBe(true);
    }
    expect(existsSync(join(server.data, 'store/games/.DS_Store'))).toBe(false);
    await page.getByRole('link', { name: 'File 19.zip' }).waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, 'store-uploaded-1440-light');
    await page.getByRole('button', { name: 'Clear finished' }).click();
    await page.getByPlaceholder('Search archives').fill('file 19');
    await page.getByRole('link', { name: 'File 18.zip' }).waitFor({ state: 'hidden' });
    expect(page.url()).toContain('q=file');
  });

  test('opens a file chooser with the u key, and accepts dropped files', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    // Add the listener well before the key press, because only then the browser reports its file
    // choosers.
    const choosers: FileChooser[] = [];
    page.on('filechooser', (chooser) => choosers.push(chooser));
    await page.goto('/store');
    await page.getByRole('button', { name: 'Upload files' }).waitFor();
    await waitUntilIdle(page);
    await page.keyboard.press('u');
    await expect.poll(() => choosers.length).toBe(1);
    await choosers[0]?.setFiles(makeFile('by key.zip', 100).path);
    await waitForText(page, 'by key.zip', 'Done');
    const bytes = randomBytes(100);
    await dropOrPaste(page, 'drop', 'h1', { name: 'dropped.zip', type: 'application/zip', bytes });
    await waitForText(page, 'dropped.zip', 'Done');
    expect(stored('dropped.zip').equals(bytes)).toBe(true);
  });

  test('asks whether to replace taken names, and reports files already stored', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/store');
    const first = makeFile('one/a.zip', 1000);
    const others = ['b', 'c'].map((name) => makeFile(`one/${name}.zip`, 2000));
    await choose(page, [first.path, ...others.map(({ path }) => path)]);
    await page.getByText('3 of 3 done').waitFor();
    const changed = ['a', 'b', 'c'].map((name) => makeFile(`two/${name}.zip`, 3000));
    const twin = makeFile('two/twin.zip', 0, first.bytes);
    await choose(page, [...changed.map(({ path }) => path), twin.path]);
    await page.getByRole('group', { name: /archive named a\.zip/ }).waitFor();
    await page.getByRole('button', { name: 'Uploads', exact: true }).click();
    await waitForText(page, 'twin.zip', 'Already stored as a.zip');
    await waitForText(page, 'c.zip', 'The name is taken');
    expect(await audit(page)).toEqual([]);
    await picture(page, 'store-taken-1440-light');
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await audit(page)).toEqual([]);
    await picture(page, 'store-taken-360-light');
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('group', { name: /archive named b\.zip/ }).waitFor();
    await page.getByLabel('Apply to the other one too').check();
    await page.getByRole('button', { name: 'Replace' }).click();
    await waitForText(page, 'c.zip', 'Done');
    await waitForText(page, 'b.zip', 'Done');
    expect(stored('a.zip').equals(first.bytes)).toBe(true);
    expect(stored('c.zip').equals(changed[2]?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test('shows the name under which a file is stored, and that no release has it', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/store');
    await choose(page, makeFile('Fish+Chips! (USA).zip', 100).path);
    await waitForText(page, 'Fish+Chips! (USA).zip', 'Stored as FishChips (USA).zip');
    await waitForText(page, 'Fish+Chips! (USA).zip', 'Done');
    const archive = page.getByRole('row', { name: /FishChips \(USA\)\.zip/ });
    await archive.getByText('No release with this name').waitFor();
    expect(await audit(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 780 });
    await archive.getByText('No release with this name').waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, 'store-renamed-360-light');
  });

  test('resends a chunk that was corrupted on the way, and stores the archive intact', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/store');
    const { path, bytes } = makeFile('changed.iso', 20 * MIB);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') statuses.push(response.status());
    });
    let isFirst = true;
    await page.route('**/api/uploads/*', async (route) => {
      const body = route.request().postDataBuffer();
      if (route.request().method() !== 'PATCH' || !isFirst || body === null)
        return route.continue();
      isFirst = false;
      const postData = Buffer.from(body);
      postData[1000] = (postData[1000] ?? 0) ^ 1;
      return route.continue({ postData });
    });
    await choose(page, path);
    await waitForText(page, 'changed.iso', 'Done');
    expect(statuses).toEqual([460, 204, 204]);
    expect(sha256(stored('changed.iso'))).toBe(sha256(bytes));
  });

  test('sends only the rest of a file after a reload, and refuses another file', {
    tags: ['full'],
  }, async () => {
    const visitor = await openPage(server, 'editor');
    const { page } = visitor;
    await page.goto('/store');
    const { path, bytes } = makeFile('reload/big.iso', 40 * MIB);
    let chunks = 0;
    await page.route('**/api/uploads/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      chunks += 1;
      return chunks === 1 ? route.continue() : new Promise(() => {});
    });
    await choose(page, path);
    await row(page, 'big.iso')
      .getByText(/16\.0 MiB of 40\.0 MiB/)
      .waitFor();
    const opened = page.waitForEvent('dialog');
    await page.reload();
    expect((await opened).type()).toBe('beforeunload');
    await page.unrouteAll();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.headers()['upload-offset'] ?? '');
    });
    const other = makeFile('other/big.iso', 40 * MIB);
    await choose(page, other.path);
    await waitForText(page, 'big.iso', /belongs to another file/);
    expect(await audit(page)).toEqual([]);
    await picture(page, 'store-other-file-1440-light');
    await row(page, 'big.iso').getByRole('button', { name: 'Cancel big.iso' }).click();
    await choose(page, path);
    await waitForText(page, 'big.iso', 'Done');
    expect(sent).toEqual([String(16 * MIB), String(32 * MIB)]);
    expect(sha256(stored('big.iso'))).toBe(sha256(bytes));
  });

  test('resumes a paused upload after another screen was open, and drops a cancelled one', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/store');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise;
      await route.continue().catch(() => {}); // the request may have been aborted
    });
    await choose(page, [makeFile('pause/p.zip', 1000).path, makeFile('pause/q.zip', 2000).path]);
    await row(page, 'p.zip').getByRole('button', { name: 'Pause p.zip' }).click();
    await waitForText(page, 'p.zip', 'Paused');
    await row(page, 'q.zip').getByRole('button', { name: 'Cancel q.zip' }).click();
    await row(page, 'q.zip').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All releases' }).click();
    await page.getByRole('link', { name: 'Downloads' }).click();
    await row(page, 'p.zip').getByRole('button', { name: 'Resume p.zip' }).click();
    held.resolve();
    await waitForText(page, 'p.zip', 'Done');
    expect(existsSync(join(server.data, 'store/games/q.zip'))).toBe(false);
  });

  test('moves between archives by arrows, and deletes one with Delete after a confirmation', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    for (const name of ['del 1.zip', 'del 2.zip']) await store(name);
    await page.goto('/store?q=del');
    await page.getByRole('link', { name: 'del 1.zip' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete del 2.zip?' });
    await dialog.waitFor();
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(existsSync(join(server.data, 'store/games/del 2.zip'))).toBe(true);
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('del 2.zip was deleted').waitFor();
    expect(existsSync(join(server.data, 'store/games/del 2.zip'))).toBe(false);
    await page.getByRole('link', { name: 'del 1.zip' }).waitFor();
  });

  test('lets a user download an archive, and asks to sign in if the session ended', async () => {
    const { page } = await openPage(server, 'user');
    await store('wanted.zip');
    await page.goto('/store?q=wanted');
    expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0);
    const link = page.getByRole('link', { name: 'wanted.zip' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('wanted.zip');
    await page.context().clearCookies();
    await link.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('user');
    await dialog.getByLabel('Password').fill('user');
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    expect(again.suggestedFilename()).toBe('wanted.zip');
  });

  test('resumes an upload of 150 MB by itself after the server was killed and restarted', {
    tags: ['full'],
    timeout: 300_000,
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const visitor = await visit(server.url);
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    const args = ['users', 'add', 'editor', '--role', 'editor', '--password-stdin'];
    await sandbox.run(args, { stdin: 'editor\n' });
    await signIn(page, 'editor');
    await page.getByRole('link', { name: 'Downloads' }).click();
    const { path, bytes } = makeFile('killed/killed.iso', 150_000_000);
    await choose(page, path);
    // The test uses the number of bytes on disk, because the page may show the middle of an
    // upload only briefly.
    const uploaded = () => bytesIn(join(sandbox.data, 'tmp/uploads'));
    await expect.poll(uploaded, { timeout: 120_000 }).toBeGreaterThan(40 * MIB);
    server.kill('SIGKILL');
    await server.ended;
    await waitForText(page, 'killed.iso', /cannot be reached/);
    const sent: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
    });
    await sandbox.serve(['--port', String(server.port)]);
    await waitForText(page, 'killed.iso', 'Done');
    // Before the kill, the server confirmed at least two chunks of 16 MiB.
    expect(sent.sort((a, b) => a - b)[0]).toBeGreaterThanOrEqual(32 * MIB);
    const whole = readFileSync(join(sandbox.data, 'store/games', 'killed.iso'));
    expect(sha256(whole)).toBe(sha256(bytes));
    expect(readdirSync(join(sandbox.data, 'tmp/uploads'))).toEqual([]);
    rmSync(path);
  });
});

describeInBrowser('an anonymous user of the store', () => {
  test('is offered no upload', { tags: ['full'] }, async () => {
    const visitor = await openVisitor(server, 'anonymous', {});
    onTestFinished(() => leave(visitor));
    await visitor.page.goto('/store');
    await visitor.page.getByRole('heading', { name: 'Downloads' }).waitFor();
    expect(await visitor.page.locator('input[type=file]').count()).toBe(0);
  });
});
