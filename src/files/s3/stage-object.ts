import { createHash } from 'node:crypto';
import { invalidFilename } from '../../core/shared/errors.ts';
import type { StagedFile, StoredFile } from '../../core/shared/files/file-area.ts';
import type { ObjectRecords } from '../../core/shared/files/object-records.ts';
import { settableTime } from '../../core/shared/settable-time.ts';
import { isPlainName } from '../local/locate.ts';
import type { Bucket } from './client/bucket.ts';
import { dropLabel, dropObjects, dropUnfinished } from './client/drop-objects.ts';
import { writeLabel } from './client/labels.ts';
import { newKey } from './object-keys.ts';
import { ObjectWriter } from './object-writer.ts';
import { storedFile } from './open-object.ts';
import type { ObjectAreaParts } from './uploads/object-parts.ts';

/**
 * Interval in milliseconds at which the key of an unfinished object is recorded as an orphan again.
 * Otherwise a sweep would treat an object that takes long to write as abandoned.
 */
const orphanRenewalMs = 10 * 60_000;

/**
 * Implements `FileArea.stage`. The key is recorded as an orphan before the first byte goes to the
 * store, so that after a crash the sweep deletes the object.
 */
export async function stageObject(
  parts: ObjectAreaParts,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StagedFile> {
  const { area, bucket, records, tmp } = parts;
  const key = newKey(area);
  await records.recordOrphan(key);
  const writer = new ObjectWriter({ bucket, key, tmp, onPart: orphanRenewer(records, key) });
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of bytes) {
      hash.update(piece);
      size += piece.byteLength;
      await writer.write(piece);
    }
    await writer.end();
  } catch (error) {
    await writer.close();
    void dropUnfinished(bucket, key);
    throw error;
  }
  await writer.close();
  return stagedObject(parts, { key, size, sha256: hash.digest('hex') });
}

/**
 * Returns a function that records the key as an orphan again. A call within `orphanRenewalMs` after
 * the previous record does nothing.
 */
export function orphanRenewer(records: ObjectRecords, key: string): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    if (performance.now() - renewedAt < orphanRenewalMs) return;
    renewedAt = performance.now();
    await records.recordOrphan(key);
  };
}

/** Returns a staged file of an area for an object that has no file name yet. */
export function stagedObject(
  { area, bucket, records }: Omit<ObjectAreaParts, 'hashes' | 'tmp'>,
  object: { key: string; size: number; sha256: string },
): StagedFile {
  return {
    size: object.size,
    sha256: object.sha256,
    publish: (name) => publishObject({ bucket, records }, area, { ...object, name }),
    // There is nothing to do. Restoring the old object makes this one an orphan, and `discard`
    // deletes the orphan with its label.
    takeBack: async () => {},
    discard: () => dropObjects({ bucket, records }, [object.key]),
  };
}

/**
 * Labels an object and publishes it under a file name. `folder` is the folder of the upload that
 * the object comes from, if any. Throws `invalid filename` for a name that is not plain.
 */
export async function publishObject(
  { bucket, records }: { bucket: Bucket; records: ObjectRecords },
  area: string,
  object: { name: string; key: string; size: number; sha256: string },
  folder?: string,
): Promise<StoredFile> {
  if (!isPlainName(object.name)) throw invalidFilename();
  const mtimeNs = freshTime();
  const former = await records.find(area, object.name);
  await writeLabel(bucket, object.key, { area, ...object, mtimeNs });
  const stored = storedFile(await records.publish(area, { ...object, mtimeNs }, folder));
  // Otherwise a recovery would bring the replaced file back after the new one was removed.
  if (former !== null && former.key !== object.key) void dropLabel(bucket, former.key);
  return stored;
}

let lastTime = 0n;

/**
 * Returns the current time in nanoseconds since 1970. Each returned time is later than all times
 * returned before.
 */
function freshTime(): bigint {
  const now = settableTime(BigInt(Date.now()) * 1_000_000n);
  lastTime = now > lastTime ? now : settableTime(lastTime + 1_000n);
  return lastTime;
}
