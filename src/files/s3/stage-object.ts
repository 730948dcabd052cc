import { createHash } from 'node:crypto';
import { invalidFilename } from '../../core/shared/errors.ts';
import type { StagedFile, StoredFile } from '../../core/shared/file-area.ts';
import type { ObjectRecords } from '../../core/shared/object-records.ts';
import { settableTime } from '../../core/shared/settable-time.ts';
import { isPlainName } from '../locate.ts';
import { dropObjects, dropUnfinished } from './drop-objects.ts';
import { newKey } from './object-keys.ts';
import type { ObjectAreaParts } from './object-parts.ts';
import { ObjectWriter } from './object-writer.ts';
import { storedFile } from './open-object.ts';

/**
 * Time in milliseconds after which the key of an unfinished object is recorded as an orphan again.
 * So no sweep treats the object as abandoned.
 */
const noteAgainMs = 10 * 60_000;

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
  await records.noteOrphan(key);
  const writer = new ObjectWriter({ bucket, key, tmp, onPart: noteAgain(records, key) });
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
 * Returns a function that records the key as an orphan again, unless this was done within the last
 * `noteAgainMs`.
 */
export function noteAgain(records: ObjectRecords, key: string): () => Promise<void> {
  let noted = performance.now();
  return async () => {
    if (performance.now() - noted < noteAgainMs) return;
    noted = performance.now();
    await records.noteOrphan(key);
  };
}

/** Returns an object that has no file name yet as a staged file of an area. */
export function stagedObject(
  { area, bucket, records }: Omit<ObjectAreaParts, 'tmp'>,
  object: { key: string; size: number; sha256: string },
): StagedFile {
  return {
    size: object.size,
    sha256: object.sha256,
    publish: (name) => publishObject(records, area, { ...object, name }),
    async takeBack() {}, // the key is ours, and an orphan once the old object is put back
    discard: () => dropObjects({ bucket, records }, [object.key]),
  };
}

/**
 * Publishes an object under a file name. `folder` is the folder of the upload that the object comes
 * from.
 */
export async function publishObject(
  records: ObjectRecords,
  area: string,
  object: { name: string; key: string; size: number; sha256: string },
  folder?: string,
): Promise<StoredFile> {
  if (!isPlainName(object.name)) throw invalidFilename();
  return storedFile(await records.publish(area, { ...object, mtimeNs: freshTime() }, folder));
}

let lastTime = 0n;

/** Returns the current time in nanoseconds, but later than every time before. */
function freshTime(): bigint {
  const now = settableTime(BigInt(Date.now()) * 1_000_000n);
  lastTime = now > lastTime ? now : settableTime(lastTime + 1_000n);
  return lastTime;
}
