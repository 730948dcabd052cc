import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Limiter } from '../../../core/shared/concurrency/limiter.ts';
import { CatalogError, damagedUpload } from '../../../core/shared/errors.ts';
import type { OpenedFile, StagedFile } from '../../../core/shared/files/file-area.ts';
import type { FetchedFile, UploadFiles } from '../../../core/uploads/ports.ts';
import type { UploadPlace } from '../../../core/uploads/upload.ts';
import { ownerMark } from '../../process-mark.ts';
import { appendTo } from '../../uploads/append.ts';
import { localUploads } from '../../uploads/upload-files.ts';
import { dropLabel, dropObjects } from '../client/drop-objects.ts';
import { openObject } from '../open-object.ts';
import { publishObject } from '../stage-object.ts';
import { appendObject } from './append-object.ts';
import { completeObject } from './join-pieces.ts';
import type { ObjectUploadParts } from './object-parts.ts';

/** Maximum number of concurrent joins. Each join reads bytes from the store and sends them back. */
const joinsAtOnce = 2;

/**
 * Stores uploads in an object store, so that any process can continue an upload. A chunk is first
 * written to disk, where its checksum is verified. Then the chunk becomes a part of the final
 * object. A chunk that is too small for a part, or follows such a chunk, becomes a separate object,
 * a loose piece. Loose pieces are joined once they are large enough for a part.
 */
export function objectUploads(given: Omit<ObjectUploadParts, 'joins'>): UploadFiles {
  const parts = { ...given, joins: new Limiter(joinsAtOnce) };
  const { bucket, uploads, tmp } = parts;
  // Local files of uploads that were started before files were stored in the object store. `remove`
  // deletes such a file together with its upload.
  const former = localUploads({ tmp, areas: { games: tmp, videos: tmp } });
  const open = async (place: UploadPlace) => {
    const upload = await uploads.find(place.folder);
    if (upload === null) return null;
    const { key, size } = await completeObject(parts, upload);
    return openObject(bucket, { name: place.filename, key, size, mtimeNs: 0n, sha256: '' });
  };
  return {
    // Always true, because an upload uses the disk only for one chunk at a time.
    hasSpaceFor: async () => true,
    append: (place, offset, bytes, watch) => appendObject(parts, place, { offset, bytes, watch }),
    has: async ({ folder }) => (await uploads.find(folder)) !== null,
    open,
    async fetch(place, version, signal) {
      const file = await open(place);
      return file && fetchObject(file, { tmp, sha256: version.sha256, signal });
    },
    async stage(place, version) {
      const upload = await uploads.find(place.folder);
      if (upload === null) throw damagedUpload();
      const { key, size } = await completeObject(parts, upload);
      if (size !== version.size) throw damagedUpload();
      return stagedUpload(parts, place, { ...version, key });
    },
    async remove(place) {
      await former.remove(place);
      await dropObjects(parts, await uploads.remove(place.folder));
    },
    async listFolders() {
      return [...(await former.listFolders()), ...(await uploads.listFolders())];
    },
  };
}

function stagedUpload(
  { bucket, records, uploads }: ObjectUploadParts,
  { system, folder }: UploadPlace,
  object: { key: string; size: number; sha256: string },
): StagedFile {
  const { key, size, sha256 } = object;
  let isGone = false;
  return {
    ...{ size, sha256 },
    async publish(name) {
      try {
        return await publishObject({ bucket, records }, system, { ...object, name }, folder);
      } catch (error) {
        isGone = error instanceof CatalogError && error.kind === 'conflict';
        throw error;
      }
    },
    async takeBack() {
      // If another process removed or published the upload, change nothing.
      if (isGone) return;
      // Drop the label last. If the database is unreachable, the archive may stay published and
      // then still needs its label.
      await uploads.makeWhole(folder, key, size);
      await dropLabel(bucket, key);
    },
    async discard() {},
  };
}

/**
 * Implements `UploadFiles.fetch`: copies the file to `tmp` and verifies its SHA-256. Throws
 * `damaged upload` if the SHA-256 differs. After a crash, `sweepTmp` removes leftovers from `tmp`.
 */
async function fetchObject(
  file: OpenedFile,
  { tmp, sha256, signal }: { tmp: string; sha256: string; signal: AbortSignal },
): Promise<FetchedFile> {
  const path = join(tmp, ownerMark());
  const drop = () => rm(path, { force: true }).catch(() => {});
  const hash = createHash('sha256');
  async function* read() {
    for await (const piece of file.stream()) {
      signal.throwIfAborted();
      hash.update(piece);
      yield piece;
    }
  }
  try {
    await appendTo(path, 0, read());
    if (hash.digest('hex') !== sha256) throw damagedUpload();
  } catch (error) {
    await drop();
    throw error;
  }
  return { path, drop };
}
