import { text } from 'node:stream/consumers';
import { refused } from '../../core/shared/errors.ts';
import type { StagedFile } from '../../core/shared/files/file-area.ts';
import type { ObjectRecords } from '../../core/shared/files/object-records.ts';
import type { LabelledFile, LabelledFiles } from '../../core/store/adoption.ts';
import { areas } from '../../core/store/area.ts';
import { isPlainName } from '../local/locate.ts';
import type { Bucket } from './client/bucket.ts';
import { labelFolder, maxLabelBytes, readLabel } from './client/labels.ts';
import type { ListedObject } from './client/list-objects.ts';
import { reasonOf } from './client/s3-error.ts';
import { storedFile } from './open-object.ts';

/** Number of labels that are read at once. */
const labelsAtOnce = 16;

/**
 * Returns the archives that the labels in the bucket name. They become files again without being
 * read or copied.
 */
export function labelledObjects(parts: { bucket: Bucket; records: ObjectRecords }): LabelledFiles {
  const { bucket, records } = parts;
  return {
    place: bucket.url,
    async *list(signal) {
      try {
        for (const area of areas) {
          const sizes = new Map<string, number>();
          for await (const { key, size } of bucket.list(`${area}/`)) sizes.set(key, size);
          for await (const labels of inGroups(bucket.list(`${labelFolder}${area}/`), signal)) {
            const found = await Promise.all(labels.map((label) => labelled(bucket, label, sizes)));
            yield* found.filter((each) => each !== null);
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        throw refused(`cannot look into ${bucket.displayName}: ${reasonOf(error)}`, error);
      }
    },
    stage: (file) => stagedAgain(records, file),
  };
}

/** Yields the objects that can be labels, some at a time. */
async function* inGroups(
  listed: AsyncIterable<ListedObject>,
  signal: AbortSignal,
): AsyncGenerator<ListedObject[]> {
  let group: ListedObject[] = [];
  for await (const label of listed) {
    signal.throwIfAborted();
    if (label.size > 0 && label.size <= maxLabelBytes) group.push(label);
    if (group.length < labelsAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Returns the file that an object's label describes. Returns null if there is no valid label. */
async function labelled(
  bucket: Bucket,
  listed: ListedObject,
  sizes: ReadonlyMap<string, number>,
): Promise<LabelledFile | null> {
  const key = listed.key.slice(labelFolder.length);
  const label = readLabel(await text(await bucket.get(listed.key, 0, listed.size - 1)), key);
  const area = areas.find((each) => each === label?.area);
  if (label === null || area === undefined || !isPlainName(label.name)) return null;
  return { ...label, key, area, isThere: sizes.get(key) === label.size };
}

/**
 * Returns an existing object as a staged file. Until it is published, the object has no record, not
 * even as an orphan. So no sweep deletes it.
 */
function stagedAgain(records: ObjectRecords, file: LabelledFile): StagedFile {
  const { area, name, key, size, sha256, mtimeNs } = file;
  return {
    ...{ size, sha256 },
    async publish(as) {
      if (as !== name) throw new Error(`${key} has the label of ${name}, not of ${as}`);
      const object = { name, key, size, sha256, mtimeNs };
      if (!(await records.attach(area, object))) throw refused('its object is in use already');
      return storedFile(object);
    },
    takeBack: () => records.detach(area, name, key),
    async discard() {},
  };
}
