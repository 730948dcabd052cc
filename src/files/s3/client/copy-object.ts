import type { Bucket, SentPart } from './bucket.ts';
import { lastPart } from '../uploads/part-size.ts';

/**
 * Maximum size of one copy request, in bytes. A copy request reports no progress, so larger objects
 * are copied in parts.
 */
const mostAtOnce = 256 * 2 ** 20;

/**
 * Copies an object to a new key. The store copies the bytes itself, in requests of at most
 * `mostBytes`. `onPart` is called before each request. If `onPart` throws, the copy stops and
 * throws the same error.
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
