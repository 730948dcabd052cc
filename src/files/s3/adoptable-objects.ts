import { createHash } from 'node:crypto';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import type { StagedFile } from '../../core/shared/files/file-area.ts';
import type { ObjectRecords } from '../../core/shared/files/object-records.ts';
import type { ManualFile, ManualFiles, ReadWatch } from '../../core/store/adoption.ts';
import { areas } from '../../core/store/area.ts';
import type { Bucket, ObjectFacts, SentPart } from './client/bucket.ts';
import { dropUnfinished } from './client/drop-objects.ts';
import { reasonOf } from './client/s3-error.ts';
import { newKey } from './object-keys.ts';
import { openObject } from './open-object.ts';
import { orphanRenewer, stagedObject } from './stage-object.ts';
import { lastPart } from './uploads/part-size.ts';

/**
 * Maximum size of one copy request, in bytes. A copy request reports no progress, so larger objects
 * are copied in parts.
 */
const maxCopyBytes = 256 * 2 ** 20;

/** Key prefix of manually added objects, relative to the bucket URL. */
const folder = 'adopt/';

/**
 * Returns the objects that were manually added below `adopt/`. The store copies an adopted object
 * to a new key, because the original may be overwritten at any time. The copy never changes, so the
 * SHA-256 is calculated from the copy.
 */
export function manuallyAddedObjects(parts: {
  bucket: Bucket;
  records: ObjectRecords;
}): ManualFiles {
  const { bucket } = parts;
  /** Size and entity tag of each original object when it was staged, by key. */
  const staged = new Map<string, ObjectFacts>();
  return {
    place: `${bucket.url}/${folder.slice(0, -1)}`,
    async *list() {
      try {
        for await (const { key, size } of bucket.list(folder)) {
          // Skips folders.
          if (!key.endsWith('/')) yield manuallyAddedFile(key.slice(folder.length), size);
        }
      } catch (error) {
        throw toRefused(error, `cannot look into ${bucket.displayName}: `);
      }
    },
    async stage(file, watch) {
      const key = `${folder}${file.path}`;
      try {
        const facts = await bucket.factsOf(key);
        if (facts?.size !== file.size) throw changedDuringAdoption();
        const copy = await copyOf(parts, { key, area: file.area, facts }, watch);
        staged.set(key, facts);
        return copy;
      } catch (error) {
        watch.signal.throwIfAborted();
        throw toRefused(error);
      }
    },
    async remove({ path }) {
      const key = `${folder}${path}`;
      const before = staged.get(key);
      staged.delete(key);
      try {
        if (isSame(before, await bucket.factsOf(key))) await bucket.remove(key);
      } catch (error) {
        throw toRefused(error, 'it was taken in, but cannot be removed from here: ');
      }
    },
  };
}

function manuallyAddedFile(path: string, size: number): ManualFile {
  const [top, name = '', ...below] = path.split('/');
  const area = areas.find((each) => each === top) ?? null;
  return { path, name, size, area: below.length === 0 && name !== '' ? area : null };
}

/**
 * Copies an object to a new key and returns the copy as a staged file. Throws refused() if the
 * original changed meanwhile. An incomplete copy is deleted.
 */
async function copyOf(
  { bucket, records }: { bucket: Bucket; records: ObjectRecords },
  { key: from, area, facts }: { key: string; area: string; facts: ObjectFacts },
  { signal, onBytes }: ReadWatch,
): Promise<StagedFile> {
  const { size } = facts;
  const key = newKey(area);
  await records.recordOrphan(key);
  const again = orphanRenewer(records, key);
  const beforeEachPart = async () => {
    signal.throwIfAborted();
    onBytes(0);
    await again();
  };
  try {
    await copyObject(bucket, { from, to: key, size }, beforeEachPart);
    const isWhole = (await bucket.factsOf(key))?.size === size;
    // The original may have been overwritten between two parts of the copy, so compare again.
    if (!isWhole || !isSame(facts, await bucket.factsOf(from))) throw changedDuringAdoption();
    const hash = createHash('sha256');
    for await (const piece of openObject(bucket, unnamed(key, size)).stream()) {
      signal.throwIfAborted();
      hash.update(piece);
      onBytes(piece.byteLength);
      await again();
    }
    return stagedObject({ area, bucket, records }, { key, size, sha256: hash.digest('hex') });
  } catch (error) {
    await dropUnfinished(bucket, key);
    throw error;
  }
}

const unnamed = (key: string, size: number) => ({ name: '', key, size, mtimeNs: 0n, sha256: '' });

function isSame(one: ObjectFacts | null | undefined, other: ObjectFacts | null): boolean {
  return one != null && other !== null && one.size === other.size && one.tag === other.tag;
}

/** Converts an error of the store to refused(). Returns other errors of the catalogue unchanged. */
function toRefused(error: unknown, front = ''): unknown {
  return error instanceof CatalogError ? error : refused(`${front}${reasonOf(error)}`, error);
}

const changedDuringAdoption = () => refused('it was changed, or went, while it was looked at');

/**
 * Copies an object to a new key. The store copies the bytes itself, in requests of at most
 * `maxBytes`. `onPart` is called before each request. If `onPart` throws, the copy stops and
 * throws the same error.
 */
export async function copyObject(
  bucket: Bucket,
  { from, to, size }: { from: string; to: string; size: number },
  onPart: () => Promise<void>,
  maxBytes = maxCopyBytes,
): Promise<void> {
  await onPart();
  if (size <= maxBytes) return bucket.copy(from, to);
  const partBytes = Math.max(maxBytes, Math.ceil(size / lastPart));
  const partsId = await bucket.beginMultipartUpload(to);
  const parts: SentPart[] = [];
  for (let start = 0; start < size; start += partBytes) {
    await onPart();
    const range = { start, end: Math.min(start + partBytes, size) - 1 };
    parts.push(await bucket.copyPart(from, { key: to, partsId, part: parts.length + 1 }, range));
  }
  await bucket.completeMultipartUpload(to, partsId, { parts, size });
}
