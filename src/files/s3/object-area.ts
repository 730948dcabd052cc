import type { FileArea, PreviousFile, StoredFile } from '../../core/shared/files/file-area.ts';
import { hasSpaceFor } from '../free-bytes.ts';
import { isPlainName } from '../local/locate.ts';
import { BatchedRowLookup } from './batched-row-lookup.ts';
import { dropLabel } from './client/drop-objects.ts';
import { writeLabel } from './client/labels.ts';
import { maxSpooledBytes } from './object-writer.ts';
import { openObject, storedFile } from './open-object.ts';
import { stageObject } from './stage-object.ts';
import type { ObjectAreaParts } from './uploads/object-parts.ts';

const rowsAtOnce = 1_000;

/**
 * Returns an area whose files are objects. Only the database lists these files: an object that was
 * manually added to the bucket is not a file of the area. Each stored file has its own key, so an
 * object never changes while it is read. A replaced object can be read until `sweepObjects` deletes
 * it.
 */
export function objectArea(parts: ObjectAreaParts): FileArea {
  const { area, bucket, records, hashes } = parts;
  const rows = new BatchedRowLookup(parts);
  const rowOf = async (name: string) => (isPlainName(name) ? rows.find(name) : null);
  return {
    list: () => list(parts),
    async *names() {
      for await (const { name } of list(parts)) yield name;
    },
    async version() {
      const revision = await records.revision(area);
      return revision === null ? null : String(revision);
    },
    async find(name) {
      const row = await rowOf(name);
      return row && storedFile(row);
    },
    fingerprintSync: () => null,
    async open(name) {
      const row = await rowOf(name);
      return row && openObject(bucket, row, hashes);
    },
    hasSpaceFor: (bytes) => hasSpaceFor(parts.tmp, maxSpooledBytes(bytes)),
    stage: (bytes) => stageObject(parts, bytes),
    retain: (name) => keep(parts, name),
    remove: (name) => remove(parts, name),
    countTree: () => records.count(area),
  };
}

async function* list({ area, records }: ObjectAreaParts): AsyncGenerator<StoredFile> {
  for (let after: string | null = null; ; ) {
    const rows = await records.list(area, after, rowsAtOnce);
    for (const row of rows) yield storedFile(row);
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)?.name ?? null;
  }
}

/** Implements `FileArea.remove`. The object stays until a sweep deletes it. */
async function remove({ area, bucket, records }: ObjectAreaParts, name: string): Promise<boolean> {
  if (!isPlainName(name)) return false;
  const row = await records.find(area, name);
  if (!(await records.remove(area, name))) return false;
  if (row !== null) void dropLabel(bucket, row.key);
  return true;
}

/**
 * Implements `FileArea.retain`: `restore` restores the current object of a name. A replaced object
 * becomes an orphan, which is deleted only much later. So no copy is made here.
 */
async function keep(
  { area, bucket, records }: ObjectAreaParts,
  name: string,
): Promise<PreviousFile> {
  const isPlain = isPlainName(name);
  const was = isPlain ? await records.find(area, name) : null;
  return {
    isRestorable: true,
    async restore() {
      if (!isPlain) return;
      await records.restore(area, name, was);
      // If the file was removed, its label may be deleted, so write the label again. A missing
      // label does not fail the change.
      if (was !== null) await writeLabel(bucket, was.key, { area, ...was }).catch(() => undefined);
    },
    async release() {},
  };
}
