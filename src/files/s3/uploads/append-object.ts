import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { damagedUpload } from '../../../core/shared/errors.ts';
import type { ObjectUpload } from '../../../core/shared/files/object-records.ts';
import type { BytesWatch } from '../../../core/uploads/ports.ts';
import type { UploadPlace } from '../../../core/uploads/upload.ts';
import { ownerMark } from '../../process-mark.ts';
import { appendTo } from '../../uploads/append.ts';
import { dropObjects, dropPieces } from '../client/drop-objects.ts';
import { DiskBody } from '../disk-body.ts';
import { newKey } from '../object-keys.ts';
import {
  type BytesToSend,
  ensureMultipart,
  joinLoosePieces,
  loosePieces,
  nextPart,
  sendPart,
} from './join-pieces.ts';
import type { ObjectUploadParts } from './object-parts.ts';
import { partSize } from './part-size.ts';

/**
 * A chunk that arrives: its offset in the upload, its bytes, and the callbacks that watch the
 * bytes.
 */
interface ArrivingChunk {
  readonly offset: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly watch: BytesWatch | undefined;
}

/**
 * Implements `UploadFiles.append`. The chunk is first written to a file in `tmp`, with the same
 * checks and errors as an upload to a local disk. Then the file is sent to the store.
 */
export async function appendObject(
  parts: ObjectUploadParts,
  place: UploadPlace,
  { offset, bytes, watch }: ArrivingChunk,
): Promise<void> {
  watch?.beforeWrite();
  const upload = await truncateUpload(parts, place, offset);
  const path = join(parts.tmp, ownerMark());
  try {
    await appendTo(path, 0, bytes, watch);
    const { size } = await stat(path);
    if (size === 0) return;
    watch?.beforeWrite();
    const open = () => DiskBody.open(path);
    const joined = await joinLoosePieces(parts, upload, () => watch?.beforeWrite());
    const isPart = loosePieces(joined).length === 0 && size >= partSize(nextPart(joined));
    const piece = isPart
      ? await sendPart(parts, await ensureMultipart(parts, joined), { start: offset, size, open })
      : await sendPiece(parts, place, { start: offset, size, open });
    watch?.beforeWrite();
    const keys = await parts.uploads.addPiece(upload.folder, upload.key, piece);
    void dropPieces(parts, keys);
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

/**
 * Returns the upload with only the pieces before `offset`. An offset of 0 discards all pieces and
 * starts the upload again. Throws `damaged upload` if the stored pieces do not end at `offset`.
 */
async function truncateUpload(
  parts: ObjectUploadParts,
  { system, folder }: UploadPlace,
  offset: number,
): Promise<ObjectUpload> {
  if (offset === 0) {
    const key = newKey(system);
    void dropObjects(parts, await parts.uploads.begin(folder, key));
    return { folder, key, partsId: null, wholeSize: null, pieces: [] };
  }
  const upload = await parts.uploads.find(folder);
  const pieces = upload?.pieces.filter(({ start }) => start < offset) ?? [];
  const last = pieces.at(-1);
  if (upload === null || upload.wholeSize !== null || last === undefined) throw damagedUpload();
  if (last.start + last.size !== offset) throw damagedUpload();
  return { ...upload, pieces };
}

async function sendPiece(
  { bucket, records }: ObjectUploadParts,
  { system }: UploadPlace,
  { start, size, open }: BytesToSend,
) {
  const key = newKey(system);
  await records.recordOrphan(key);
  await bucket.putStream(key, size, open);
  return { start, size, key, part: null };
}
