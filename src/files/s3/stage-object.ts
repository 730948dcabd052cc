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

/** A key that takes this long to write is noted again, so that no sweep takes it for abandoned. */
const noteAgainMs = 10 * 60_000;

/**
 * See `FileArea.stage`. The key is noted before the first byte goes to the store, so that a crash
 * leaves no unknown object.
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

/** Returns a function that notes a key again if it was last noted long ago. */
export function noteAgain(records: ObjectRecords, key: string): () => Promise<void> {
  let noted = performance.now();
  return async () => {
    if (performance.now() - noted < noteAgainMs) return;
    noted = performance.now();
    await records.noteOrphan(key);
  };
}

/** Returns an unnamed object as a staged file of an area. */
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

/** Gives an object its name; `folder` is the folder of the upload that the object comes from. */
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
