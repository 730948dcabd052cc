import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testFirstOfEach } from '../support/first-of-each.ts';
import { pspIso } from '../support/images/disc-images.ts';
import { useSandbox } from '../support/process.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { openAdminScreen } from './support/admin-menu.ts';
import { audit, layoutShift } from './support/audit.ts';
import { auditWidths } from './support/audit-widths.ts';
import { closeBrowser, describeInBrowser, leave, visit } from './support/browser.ts';
import { scanUntilStopped } from './support/running-job.ts';
import { openTestServer, signIn, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

const GIB = 1024 ** 3;
let server: TestServer;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  await writeFile(join(root, 'long.iso'), 'long');
  await truncate(join(root, 'long.iso'), 500 * GIB); // sparse: slow to hash, but uses no disk space
  server = await openTestServer({ 'games-root': root });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  await rm(root, { recursive: true });
});

/**
 * Returns true if the number of steps is about five. A page that handles a response late sends its
 * next request some steps later.
 */
const isAboutFive = (steps: number) => steps >= 4 && steps <= 8;

describeInBrowser('jobs', () => {
  test('are started, watched in two browsers, stopped, and started again', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases');
    await openAdminScreen(page, 'Jobs');
    await page.getByText('Nothing is running.').waitFor();
    await page.getByText('No job has ended yet').waitFor();
    await page.getByRole('button', { name: 'Scan the library' }).click();
    await page.getByText('Library scan: started').waitFor();

    const { page: other } = await openPage(server, 'admin');
    await other.goto('/jobs');
    for (const each of [page, other]) {
      const job = each.getByRole('listitem', { name: 'Library scan' }).first();
      await job
        .getByText(/Calculating checksums · [\d.]+ \wiB of 500 GiB · .+\/s · .+ left/)
        .waitFor();
      await job.getByText('by editor, since').waitFor();
      await job.getByText('long.iso').waitFor();
      const bar = job.getByRole('progressbar', { name: 'Progress: Library scan' });
      expect(await bar.getAttribute('aria-valuenow')).toMatch(/^\d+$/);
    }
    expect(await page.getByRole('button', { name: 'Scan the library' }).isDisabled()).toBe(true);

    await other.getByRole('button', { name: 'Stop: Library scan' }).click();
    for (const each of [page, other]) await each.getByText('Library scan: stopped').waitFor();
    await page.getByText('It was stopped.', { exact: true }).waitFor();
    await page.getByText('Stopped', { exact: true }).click();
    await page.getByText('it was stopped', { exact: true }).waitFor();
    expect(await page.locator('.notice').count()).toBe(0);

    await page.getByRole('button', { name: 'Start again: Library scan' }).click();
    await page.getByRole('button', { name: 'Stop: Library scan' }).click();
    await page.getByRole('button', { name: 'Stop: Library scan' }).waitFor({ state: 'detached' });
    const running = { state: 'running', kind: '' };
    await expect
      .poll(() => server.catalog.jobs.list(running, { limit: 1, before: null }), {
        timeout: 60_000,
      })
      .toEqual([]);
  });

  test('are watched in two browsers if started in a terminal, and stopped from either side', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const folder = join(sandbox.folder, 'games');
    await mkdir(folder);
    if (toolsSkipReason('xorriso') === null) await writeFile(join(folder, 'made.iso'), pspIso());
    await writeFile(join(folder, 'zz long.iso'), 'long');
    await truncate(join(folder, 'zz long.iso'), 500 * GIB);
    const server = await sandbox.serve();
    const browsers = [await visit(server.url), await visit(server.url)] as const;
    for (const each of browsers) {
      onTestFinished(() => leave(each));
      await signIn(each.page, 'admin');
      await each.page.goto('/jobs');
      await each.page.getByText('Nothing is running.').waitFor();
    }
    const scans = () => sandbox.start(['scan', '--games-root', folder]);
    const shown = (page: Page) =>
      page
        .getByRole('listitem', { name: 'Library scan' })
        .first()
        .getByText(/Calculating checksums/)
        .waitFor();

    const first = scans();
    await Promise.all(browsers.map(({ page }) => shown(page)));
    await browsers[1].page.getByRole('button', { name: 'Stop: Library scan' }).click();
    expect(await first.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/stopped/),
    });
    for (const { page } of browsers) await page.getByText('Library scan: stopped').waitFor();

    const second = scans();
    await Promise.all(browsers.map(({ page }) => shown(page)));
    second.kill('SIGINT');
    await second.ended;
    for (const { page } of browsers) {
      await page
        .getByText(/Library scan: (stopped|interrupted)/)
        .last()
        .waitFor();
      await page.getByText('Nothing is running.').waitFor();
    }
  });

  test('are watched in eight tabs that leave connections for other requests', {
    tags: ['full'],
  }, async () => {
    await scanUntilStopped(server);
    const { page, newTab } = await openPage(server, 'editor');
    const tabs = [page, ...(await Promise.all(Array.from({ length: 7 }, () => newTab())))];
    for (const tab of tabs) {
      await tab.goto('/jobs');
      const job = tab.getByRole('listitem', { name: 'Library scan' }).first();
      await job.getByText(/Calculating checksums/).waitFor();
    }
    // Upload an archive in a tab that polls like the other tabs. The archive must appear in the
    // list.
    await page.getByRole('link', { name: 'Downloads' }).click();
    const bytes = randomBytes(20 * 1024 * 1024);
    const file = join(root, '..', 'catalog-eight-tabs.zip');
    await writeFile(file, bytes);
    onTestFinished(() => rm(file));
    await page.locator('input[type=file][multiple]').setInputFiles(file);
    await page.getByRole('link', { name: 'catalog-eight-tabs.zip' }).waitFor();
    await page.goto('/jobs');
    await page.getByRole('button', { name: 'Stop: Library scan' }).click();
    for (const tab of tabs) {
      await tab.bringToFront();
      await tab.getByText('Nothing is running.').waitFor();
    }
  });

  test('are polled each second while one runs, and ten times less often otherwise', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    const requestedAt: number[] = [];
    let now = 0;
    let responses = 0;
    const isOfJobs = (request: Request) => request.url().includes('/api/jobs?');
    page.on('request', (request) => isOfJobs(request) && requestedAt.push(now));
    page.on('requestfinished', (request) => isOfJobs(request) && responses++);
    /**
     * Advances the page's clock in steps until the page has sent three more requests. Returns the
     * steps between these three requests.
     */
    const pace = async (step: number) => {
      for (const wanted = requestedAt.length + 3; requestedAt.length < wanted; now += 1) {
        await page.clock.runFor(step);
        await expect.poll(() => responses).toBe(requestedAt.length);
        // Wait until the page has handled the response, because the page may then send further
        // requests.
        await page.evaluate(async () => (await fetch('/api/health')).text());
      }
      const [first = 0, second = 0, third = 0] = requestedAt.slice(-3);
      return [second - first, third - second];
    };
    await page.clock.install();
    await page.goto('/jobs');
    await page.getByText('Nothing is running.').waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    for (const steps of await pace(2_000)) expect(steps).toSatisfy(isAboutFive);

    await scanUntilStopped(server);
    await pace(2_000);
    for (const steps of await pace(200)) expect(steps).toSatisfy(isAboutFive);
    await page.clock.resume();
    await page.getByRole('button', { name: 'Stop: Library scan' }).click();
    await page.getByText('Nothing is running.').waitFor();
  });

  test('take options when started, and report an invalid option at its field', async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/jobs');
    await page.getByRole('button', { name: 'Options …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a job' });
    expect(await dialog.getByLabel('Calculate checksums').isChecked()).toBe(true);
    await dialog.getByLabel('Forget files in folders').waitFor();
    await dialog.getByLabel('Job', { exact: true }).selectOption('Zip of covers');
    await dialog.getByLabel('Name of the zip').fill('../out');
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.getByText('a character that cannot be stored').waitFor();
    await dialog.getByLabel('Name of the zip').fill('all-covers');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Zip of covers: started').waitFor();
    await page.getByRole('region', { name: 'Ended' }).getByText('Zip of covers').click();
    await page.getByText('all-covers.zip').waitFor();
  });

  test('report differences in a verification of the covers', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/jobs');
    const dialog = page.getByRole('dialog', { name: 'Start a job' });
    await mkdir(join(server.data, 'covers'), { recursive: true });
    await writeFile(join(server.data, 'covers', '1.txt'), 'laid there by hand');
    await page.getByRole('button', { name: 'Options …' }).click();
    await dialog.getByLabel('Job', { exact: true }).selectOption('Verification');
    await dialog.getByLabel('Only the covers').check();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Verification: started').waitFor();
    await page.getByRole('region', { name: 'Ended' }).getByText('Verification').click();
    await page.getByText('Differences').waitFor();
  });

  test('offer fewer options to an editor than to an admin', { tags: ['full'] }, async () => {
    const { page: editor } = await openPage(server, 'editor');
    await editor.goto('/library');
    await editor.getByRole('button', { name: 'Options …' }).click();
    const own = editor.getByRole('dialog', { name: 'Library scan' });
    await own.getByLabel('Rescan unchanged files').check();
    await own.getByLabel('Calculate checksums').uncheck();
    expect(await own.getByLabel('Forget files in folders').count()).toBe(0);
    await own.getByRole('button', { name: 'Start', exact: true }).click();
    await own.waitFor({ state: 'detached' });
    const done = async () => {
      const filter = { state: 'done', kind: 'scan' };
      const [job] = await server.catalog.jobs.list(filter, { limit: 1, before: null });
      return job && (await server.catalog.jobs.get(job.id)).options;
    };
    await expect.poll(done, { timeout: 60_000 }).toEqual({ hash: false, full: true });
    await editor.getByRole('definition').first().waitFor();
  });

  test('are started for the covers of selected releases only', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases');
    await page.getByRole('button', { name: 'Select' }).click();
    for (const at of [0, 1]) await page.getByRole('listitem').nth(at).getByRole('link').click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Download covers …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fetch the covers of 2 releases' });
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Download covers' }).click();
    await dialog.getByText('No source of covers is set up').waitFor();
    const all = { state: '', kind: 'covers-fetch' };
    const [job] = await server.catalog.jobs.list(all, { limit: 1, before: null });
    const { options } = await server.catalog.jobs.get(job?.id ?? 0);
    expect(options).toMatchObject({ release_ids: [expect.any(Number), expect.any(Number)] });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('2 selected').waitFor();
  });

  test('have a schedule that an admin sets and editors see', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/jobs');
    await page.getByLabel('Library scan: start automatically').check();
    await page.getByText('Next: ').waitFor();
    await page.getByLabel('Library scan: day').selectOption('Sunday');
    await page.getByLabel('Library scan: time').fill('04:30');
    await page.getByLabel('Library scan: time').blur();
    await expect.poll(async () => (await server.catalog.schedules.get('scan')).time).toBe('04:30');
    const { page: editor } = await openPage(server, 'editor');
    await editor.goto('/jobs');
    await editor.getByText('Sunday, 04:30').waitFor();
    expect(await editor.getByRole('checkbox').count()).toBe(0);
  });

  test('show the number of a repeated attempt, during its pause and after its end', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    const actor = { kind: 'system' } as const;
    const request = { kind: 'covers-bundle', options: {}, actor };
    const attempts = { attempts: 3, host: '', yieldsToQueued: false };
    const run = await server.catalog.jobs.begin(request, attempts);
    if ('running' in run) throw new Error('another zip of covers is being made');
    await server.catalog.jobs.endRun(run, {
      reason: 'its process ended by SIGKILL',
      wasStoppedByServer: false,
    });
    await page.goto('/jobs');
    const job = page.getByRole('listitem', { name: 'Zip of covers' }).first();
    await job.getByText(', attempt 2 of 3').waitFor();
    const stop = job.getByRole('button', { name: 'Stop: Zip of covers' });
    // On a busy machine the pause may be over, and the job done, before the click.
    await Promise.race([stop.click().catch(() => {}), stop.waitFor({ state: 'detached' })]);
    const ended = page.getByRole('region', { name: 'Ended' });
    await ended.getByText(', attempt 2 of 3').waitFor();
  });

  testFirstOfEach([
    [
      'en-GB',
      'Download covers',
      'No source of covers is set up',
      'Start again: Covers from the web',
    ],
    ['de-DE', 'Cover laden', 'Keine Quelle für Cover ist', 'Neu starten: Cover aus dem Internet'],
  ])(
    'show in the list why a job failed, with a button that starts it again (%s)',
    async (locale, start, why, again) => {
      const { page } = await openPage(server, 'editor', { locale });
      await page.goto('/jobs');
      const reasons = page.getByText(why);
      await page.getByRole('button', { name: start, exact: true }).waitFor();
      await waitUntilIdle(page);
      const before = await reasons.count();
      await page.getByRole('button', { name: start, exact: true }).click();
      await expect.poll(() => reasons.count()).toBe(before + 1);
      await page.getByRole('button', { name: again }).first().click();
      await expect.poll(() => reasons.count()).toBe(before + 2);
      expect(await page.locator('.notice').count()).toBe(0);
      expect(await page.getByText('there is no cover source').count()).toBe(0);
      expect(await auditWidths(page, `jobs-failed-${locale}`)).toEqual([]);
      await page.reload();
      await expect.poll(() => reasons.count()).toBe(before + 2);
      expect(await layoutShift(page)).toBeLessThan(0.02);
    },
  );

  test('require the role Editor', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/releases');
    await page.getByRole('link', { name: 'All releases' }).waitFor();
    expect(await page.getByRole('link', { name: 'Jobs' }).count()).toBe(0);
    await page.goto('/jobs');
    await page.getByText('You need the role Editor').waitFor();
  });
});
