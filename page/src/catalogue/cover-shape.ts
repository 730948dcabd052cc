import type { ReleaseList } from './release-list.svelte.ts';
import { sleeveOf } from './sleeve.ts';

/** Maximum number of remembered shapes. The oldest is evicted first. */
const most = 2_000;
const shapes = new Map<string, number>();

/** Remembers the shape (width divided by height) of a loaded picture by its cover's tag. */
export function noteShape(tag: string, ratio: number): void {
  shapes.set(tag, ratio);
  if (shapes.size <= most) return;
  const [oldest] = shapes.keys();
  if (oldest !== undefined) shapes.delete(oldest);
}

/** Returns the shape of a cover by its tag, or null if it has not been loaded yet. */
export function shapeOf(tag: string | null | undefined): number | null {
  return (tag && shapes.get(tag)) || null;
}

/** Lists of at most this many releases may fit in one row. */
const fewest = 12;

/**
 * Returns the smallest shape (the narrowest cover) of a short list once all are known, or else 0.
 */
export function narrowestOf(list: Pick<ReleaseList, 'item' | 'total'>): number {
  if (list.total === null || list.total === 0 || list.total > fewest) return 0;
  const forms = Array.from({ length: list.total }, (_, index) => {
    const release = list.item(index);
    if (!release) return 0;
    if (release.cover_tag) return shapeOf(release.cover_tag) ?? 0;
    return sleeveOf(release.platform ?? '', release.system).ratio;
  });
  return Math.min(...forms);
}
