import type { Bucket, SentPart } from './bucket.ts';
import { lastPart } from './part-size.ts';

/** In one request, which has no byte to show for it until it is done. */
const mostAtOnce = 256 * 2 ** 20;

/**
 * Makes an object of the bytes of another one, which the store copies by itself: a large one in parts. `onPart` is called
 * before each request of at most `mostBytes`, and what it throws ends the work.
 */
export async function copyObject(
  bucket: Bucket,
  { from, to, size }: { from: string; to: string; size: number },
  onPart: () => Promise<void>,
  mostBytes = mostAtOnce,
): Promise<void> {
  await onPart();
  if (size <= mostBytes) return bucket.copy(from, to);
  const partBytes = Math.max(mostBytes, Math.ceil(size / lastPart));
  const partsId = await bucket.beginParts(to);
  const parts: SentPart[] = [];
  for (let start = 0; start < size; start += partBytes) {
    await onPart();
    const range = { start, end: Math.min(start + partBytes, size) - 1 };
    parts.push(await bucket.copyPart(from, { key: to, partsId, part: parts.length + 1 }, range));
  }
  await bucket.finishParts(to, partsId, { parts, size });
}
