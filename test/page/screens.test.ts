import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit, layoutShift } from './audit.ts';
import { closeBrowser, leave, picture, skipsBrowser, type Visitor, visit } from './browser.ts';
import { hangCovers, hostileNames, openShop, type Shop, signIn } from './shop.ts';

let shop: Shop;
let ids: { plain: number; hostile: number };

beforeAll(async () => {
  if (skipsBrowser) return;
  shop = await openShop();
  ids = {
    plain: await shop.idOf('Amber Delta 0 (USA)'),
    hostile: await shop.idOf(hostileNames[0] ?? ''),
  };
  const visitor = await visit(shop.url);
  await hangCovers(shop, visitor.page, 60);
  await leave(visitor);
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
});

type Who = 'nobody' | 'user' | 'editor' | 'admin';

/** Every screen, and who looks at it. */
const screens: readonly (readonly [string, Who, (page: Visitor['page']) => Promise<unknown>])[] = [
  ['catalogue', 'nobody', (page) => page.goto('/')],
  ['release', 'editor', (page) => page.goto(`/releases/${ids.plain}`)],
  ['sign-in', 'nobody', (page) => page.goto('/sign-in')],
  ['account', 'user', (page) => page.goto('/account')],
  ['users', 'admin', (page) => page.goto('/users')],
];

/** Their further states, looked at on a phone. */
const states: readonly (readonly [string, Who, (page: Visitor['page']) => Promise<unknown>])[] = [
  [
    'table',
    'nobody',
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Table' }).click();
    },
  ],
  ['nothing-found', 'nobody', (page) => page.goto('/?search=nothinglikethis')],
  [
    'narrowed',
    'nobody',
    (page) => page.goto('/?search=amber&region=USA&platform=Sony+-+PlayStation+Portable'),
  ],
  [
    'picking',
    'editor',
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Select' }).click();
      await page.getByRole('listitem').nth(1).getByRole('link').click();
      await page.getByText('1 selected').waitFor();
    },
  ],
  [
    'set-a-field',
    'editor',
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Select' }).click();
      await page.getByRole('listitem').nth(1).getByRole('link').click();
      await page.getByRole('button', { name: 'Set a field' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'editing',
    'editor',
    async (page) => {
      await page.goto(`/releases/${ids.plain}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('form', { name: 'Editing' }).waitFor();
    },
  ],
  ['release-hostile', 'nobody', (page) => page.goto(`/releases/${ids.hostile}`)],
  ['release-unknown', 'nobody', (page) => page.goto('/releases/999999')],
  ['not-found', 'nobody', (page) => page.goto('/nowhere/at/all')],
  ['users-signed-out', 'nobody', (page) => page.goto('/users')],
  ['users-forbidden', 'user', (page) => page.goto('/users')],
  ['account-signed-out', 'nobody', (page) => page.goto('/account')],
  [
    'add-user',
    'admin',
    async (page) => {
      await page.goto('/users');
      await page.getByRole('button', { name: 'Add user' }).click();
    },
  ],
  [
    'user-menu',
    'admin',
    async (page) => {
      await page.goto('/users');
      await page.getByRole('button', { name: 'Actions for editor' }).click();
    },
  ],
  [
    'new-token',
    'user',
    async (page) => {
      await page.goto('/account');
      await page.getByRole('button', { name: 'New token' }).click();
    },
  ],
  [
    'keys',
    'nobody',
    async (page) => {
      await page.goto('/');
      await page.getByRole('list', { name: 'Releases' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
];

async function look(
  name: string,
  who: Who,
  open: (page: Visitor['page']) => Promise<unknown>,
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const viewport = { width, height: width < 500 ? 780 : 900 };
  const visitor = await visit(shop.url, { viewport, colorScheme });
  const { page } = visitor;
  if (who !== 'nobody') await signIn(page, who);
  await open(page);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(400); // the skeletons' fade, and pictures
  const findings = await audit(page);
  const shift = await layoutShift(page);
  await picture(page, `${name}-${width}-${colorScheme}`);
  await leave(visitor);
  expect(findings).toEqual([]);
  expect(shift).toBeLessThan(0.02);
}

describe.skipIf(skipsBrowser)('every screen keeps WCAG 2.2 AA, its width, and its place', () => {
  const looks = screens.flatMap((screen) =>
    [360, 1440].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [...screen, width, scheme] as const),
    ),
  );
  test.each(looks)('%s, for %s', async (name, who, open, width, scheme) => {
    await look(name, who, open, width, scheme);
  });

  test.each(states)('%s, for %s, on a phone', async (name, who, open) => {
    await look(name, who, open, 360, 'light');
  });

  test('nothing scrolls sideways at 320 px', async () => {
    const visitor = await visit(shop.url, { viewport: { width: 320, height: 640 } });
    for (const path of ['/', `/releases/${ids.hostile}`, '/sign-in', '/users', '/account']) {
      await visitor.page.goto(path);
      await visitor.page.waitForLoadState('networkidle');
      expect(await audit(visitor.page)).toEqual([]);
    }
    await leave(visitor);
  });
});

describe.skipIf(skipsBrowser)('the audit bites', () => {
  test('on a missing label, on what sticks out, and on an inline script', async () => {
    const visitor = await visit(shop.url);
    await visitor.page.goto('/sign-in');
    await visitor.page.getByLabel('Username').waitFor();
    expect(await audit(visitor.page)).toEqual([]);
    await visitor.page.evaluate(() => {
      document.querySelector('main label')?.remove();
      const wide = document.createElement('div');
      wide.className = 'planted';
      wide.style.width = '5000px';
      wide.textContent = 'wide';
      document.querySelector('main')?.append(wide);
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
    });
    const findings = await audit(visitor.page);
    expect(findings.some((each) => each.startsWith('label: '))).toBe(true);
    expect(findings.some((each) => each.startsWith('overflow: '))).toBe(true);
    expect(await visitor.page.evaluate(() => 'wasRun' in window)).toBe(false);
    await expect(leave(visitor)).rejects.toThrow(/script-src/);
  });
});
