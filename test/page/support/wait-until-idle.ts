import type { Page, Request } from 'playwright-core';

const underWay = new WeakMap<Page, Set<Request>>();

/** Records the pending requests of a page. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Waits until a page is complete. No request is pending, no skeleton or unloaded picture is
 * visible, and finite animations have ended.
 */
export async function waitUntilIdle(page: Page): Promise<void> {
  const isIdle = () => underWay.get(page)?.size === 0;
  for (;;) {
    await page.waitForFunction(isShown);
    await page.evaluate(waitForAnimations);
    if (isIdle() && (await page.evaluate(isShown)) && isIdle()) return;
  }
}

/** Returns true if no skeleton or unloaded picture is visible. Runs in the page. */
function isShown(): boolean {
  const pictures = [...document.images].filter((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return each.checkVisibility() && bottom > 0 && top < innerHeight;
  });
  return (
    document.querySelector('main > *') !== null &&
    document.querySelector('.skeleton') === null &&
    pictures.every(({ complete }) => complete)
  );
}

/**
 * Waits for two frames and for finite animations. A response is drawn in the second frame at the
 * latest. Runs in the page.
 */
async function waitForAnimations(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
