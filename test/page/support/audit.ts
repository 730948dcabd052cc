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

const wcag = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
} as const;

/**
 * Returns the faults of a page: violations of WCAG 2.2 A and AA that axe finds, and horizontal
 * overflow.
 */
export async function audit(page: Page): Promise<string[]> {
  return [...(await findBarriers(page, wcag)), ...(await findOverflow(page))];
}

/** Returns the texts with too little contrast, the only barrier that depends on colours. */
export function findPaleTexts(page: Page): Promise<string[]> {
  return findBarriers(page, { type: 'rule', values: ['color-contrast'] });
}

async function findBarriers(
  page: Page,
  runOnly: { readonly type: string; readonly values: readonly string[] },
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Finding[] }> };
    };
    return (await axe.run({ runOnly: only, resultTypes: ['violations'] })).violations;
  }, runOnly);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns the horizontal overflow of the page and of each open dialog. */
export function findOverflow(page: Page): Promise<string[]> {
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

/**
 * Returns the texts that are cut off by the edge of the window or by a box with hidden overflow.
 * Omits texts with an ellipsis if an enclosing element has a `title`.
 */
export function findClippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (text === '' || !parent?.checkVisibility({ visibilityProperty: true })) continue;
      if (parent.closest('.unseen, .skip, script, style, option, dialog:not([open])')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      for (let box: Element | null = parent; box !== null; box = box.parentElement) {
        const { overflowX, textOverflow, display, clipPath } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll' || clipPath !== 'none') break;
        const isWindow = box === document.documentElement;
        if ((overflowX === 'visible' && !isWindow) || display === 'inline') continue;
        const edges = isWindow ? { left: 0, right: innerWidth } : box.getBoundingClientRect();
        if (left >= edges.left - 1 && right <= edges.right + 1) continue;
        const hasTitle = box.closest('[title]') !== null || parent.closest('[title]') !== null;
        if (textOverflow === 'ellipsis' && hasTitle) break;
        faults.push(`clipped: ${box.tagName.toLowerCase()}.${box.className}: ${text.slice(0, 60)}`);
        break;
      }
    }
    return faults;
  });
}

/**
 * Returns the controls that are lower or narrower than 40 px, except for those in running text and
 * tables. WCAG 2.5.8 requires only 24 px.
 */
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
  /** Time of the first key press or click, in milliseconds since the page was opened. */
  firstInput?: number;
}

/** Records the time of the first input. Runs in each page before all other scripts. */
export function recordFirstInput(): void {
  const watched = globalThis as Watched;
  const recordTime = ({ timeStamp }: Event) => {
    watched.firstInput ??= timeStamp;
  };
  addEventListener('pointerdown', recordTime, { capture: true });
  addEventListener('keydown', recordTime, { capture: true });
}

/**
 * Returns the layout shift (W3C) from opening the page until the first input. Later shifts are
 * responses to the input.
 */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    interface Shift extends PerformanceEntry {
      readonly value: number;
    }
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The browser records a shift only after it has drawn the shifted content.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const { firstInput = Number.POSITIVE_INFINITY } = globalThis as Watched;
    const all = [...entries, ...observer.takeRecords()] as Shift[];
    return all.reduce((sum, { startTime, value }) => sum + (startTime < firstInput ? value : 0), 0);
  });
}
