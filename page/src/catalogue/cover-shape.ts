import type { ReleaseList } from './release-list.svelte.ts';
import { sleeveOf } from './sleeve.ts';

/** Remembered at most; the oldest goes first. */
const most = 2_000;
const shapes = new Map<string, number>();

/** Remembers the form of a picture that was seen, by its cover's tag: width over height. */
export function noteShape(tag: string, ratio: number): void {
  shapes.set(tag, ratio);
  if (shapes.size <= most) return;
  const [oldest] = shapes.keys();
  if (oldest !== undefined) shapes.delete(oldest);
}

/** The form of a cover by its tag; null when it was not seen yet. */
export function shapeOf(tag: string | null | undefined): number | null {
  return (tag && shapes.get(tag)) || null;
}

/** A list of no more than these may lie in one row. */
const fewest = 12;

/** The least form of the covers of a short list, once all have been seen; else 0. */
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
