import type { ReleaseList } from '../release-list.svelte.ts';
import { sleeveOf } from './sleeve.ts';

/** Maximum number of cached cover shapes. Beyond this number, the oldest shape is evicted. */
const maxShapes = 2_000;
const shapes = new Map<string, number>();

/** Caches the shape (width divided by height) of a loaded cover under the cover's tag. */
export function cacheShape(tag: string, ratio: number): void {
  shapes.set(tag, ratio);
  if (shapes.size <= maxShapes) return;
  const [oldest] = shapes.keys();
  if (oldest !== undefined) shapes.delete(oldest);
}

/**
 * Returns the cached shape of the cover with this tag. Returns null if the picture has not been
 * loaded yet.
 */
export function cachedShape(tag: string | null | undefined): number | null {
  return (tag && shapes.get(tag)) || null;
}

/** Maximum number of releases in a short list. The covers of a short list may fit in one row. */
const maxShortList = 12;

/**
 * Returns the shape (width divided by height) of the narrowest cover of a short list. Returns 0 if
 * the list is long, or while any shape is unknown.
 */
export function narrowestShape(list: Pick<ReleaseList, 'item' | 'total'>): number {
  if (list.total === null || list.total === 0 || list.total > maxShortList) return 0;
  const forms = Array.from({ length: list.total }, (_, index) => {
    const release = list.item(index);
    if (!release) return 0;
    if (release.cover_tag) return cachedShape(release.cover_tag) ?? 0;
    return sleeveOf(release.platform ?? '', release.system).ratio;
  });
  return Math.min(...forms);
}
