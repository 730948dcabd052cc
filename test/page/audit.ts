import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary: string;
  }[];
}

/** What is wrong with what a page shows: WCAG 2.2 A and AA as far as axe can tell, and whatever sticks out sideways. */
export async function audit(page: Page): Promise<string[]> {
  return [...(await findBarriers(page)), ...(await findOverflow(page))];
}

async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const violations = await page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Finding[] }> };
    };
    return (await axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] }))
      .violations;
  }, tags);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Of the page, and of each dialog that is open. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
    return boxes.flatMap((box) => {
      const { clientWidth, scrollWidth } = box;
      if (scrollWidth <= clientWidth) return [];
      const end = box.getBoundingClientRect().left + clientWidth;
      const wide = [...box.querySelectorAll('*')].filter(
        (each) => each.getBoundingClientRect().right > end + 1,
      );
      const names = wide.map((each) => `${each.tagName.toLowerCase()}.${each.className}`);
      return [`overflow: ${scrollWidth} px in ${clientWidth}: ${names.slice(0, 5).join(', ')}`];
    });
  });
}

/** What is pressed and is less high than a finger needs, links in running text apart; WCAG 2.5.8 asks for 24 px. */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pressable = 'button, select, input:not(.unseen), textarea, a[href]:not(.skip)';
    const found = [...document.querySelectorAll(pressable)];
    return found.flatMap((each) => {
      const pressed = each.matches('[type=checkbox], [type=radio]') ? each.closest('label') : each;
      const { width, height, bottom } = (pressed ?? each).getBoundingClientRect();
      const isSeen = each.checkVisibility({ visibilityProperty: true }) && width > 1 && bottom > 0;
      const isInText = each.matches('p a, td a, dd button, [role=cell] a');
      if (!isSeen || isInText || (height >= 40 && width >= 40)) return [];
      const name = each.getAttribute('aria-label') ?? each.textContent?.trim();
      return [
        `${each.tagName.toLowerCase()} ${name}: ${Math.round(width)} × ${Math.round(height)}`,
      ];
    });
  });
}

interface Watched {
  /** When somebody first pressed a key or a button, ms since the page was opened. */
  firstInput?: number;
}

/** Runs in each page before anything else. */
export function noteFirstInput(): void {
  const watched = globalThis as Watched;
  const note = ({ timeStamp }: Event) => {
    watched.firstInput ??= timeStamp;
  };
  addEventListener('pointerdown', note, { capture: true });
  addEventListener('keydown', note, { capture: true });
}

/**
 * Sums up how far things moved by themselves (layout shift, W3C) from when the page was opened until somebody pressed
 * something: what an answer to that moves may come at any time.
 */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    interface Shift extends PerformanceEntry {
      readonly value: number;
    }
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // the browser notes what moved once it has drawn it
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const { firstInput = Number.POSITIVE_INFINITY } = globalThis as Watched;
    const all = [...entries, ...observer.takeRecords()] as Shift[];
    return all.reduce((sum, { startTime, value }) => sum + (startTime < firstInput ? value : 0), 0);
  });
}
