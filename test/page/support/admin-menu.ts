import type { Page } from 'playwright-core';

/** Opens the Admin menu, and follows its link to a screen. */
export async function openAdminScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Admin', exact: true }).click();
  await page.locator('#admin-menu').getByRole('link', { name, exact: true }).click();
}
