import { Readable } from 'node:stream';
import { CatalogError, damagedUpload } from '../../../core/shared/errors.ts';
import type { ObjectPiece, ObjectUpload } from '../../../core/shared/files/object-records.ts';
import { countStreamedBytes } from '../../../memory/collect-garbage.ts';
import type { Bucket, SentPart } from '../client/bucket.ts';
import type { OpenStream } from '../client/bucket-requests.ts';
import { dropObjects, dropPieces } from '../client/drop-objects.ts';
import { isInvalidPart } from '../client/s3-error.ts';
import { newKeyInSameArea } from '../object-keys.ts';
import type { ObjectUploadParts } from './object-parts.ts';
import { partSize } from './part-size.ts';

/**
 * Number of loose pieces at which an upload's loose pieces are joined, even if they are too small
 * for a part. Each loose piece costs one request when the upload is read.
 */
const maxLoosePieces = 32;

type LoosePiece = ObjectPiece & { readonly key: string };
type UploadInParts = ObjectUpload & { readonly partsId: string };

/** Bytes of an upload that will be sent to the store. */
export interface BytesToSend {
  /** Offset of the first byte in the upload. */
  readonly start: number;
  readonly size: number;
  readonly open: OpenStream;
}

/**
 * Returns the loose pieces of an upload, which are separate objects. In an upload, the loose pieces
 * come after the pieces that are parts.
 */
export function loosePieces({ pieces }: ObjectUpload): LoosePiece[] {
  return pieces.filter((piece): piece is LoosePiece => piece.key !== null);
}

/**
 * Returns the number of the next part. If a part was sent but not recorded, its number is reused.
 * S3 then replaces that part.
 */
export function nextPart({ pieces }: ObjectUpload): number {
  return 1 + Math.max(0, ...pieces.map(({ part }) => part ?? 0));
}

/**
 * Returns the upload with `partsId`, the id of the multipart upload that creates the final object.
 * Starts the multipart upload if there is none yet.
 */
export async function ensureMultipart(
  { bucket, uploads }: ObjectUploadParts,
  upload: ObjectUpload,
): Promise<UploadInParts> {
  const { folder, key, partsId } = upload;
  if (partsId !== null) return { ...upload, partsId };
  const begun = await bucket.beginMultipartUpload(key);
  try {
    return { ...upload, partsId: await uploads.nameParts(folder, key, begun) };
  } catch (error) {
    // The key is not recorded any more, so no sweep would find this multipart upload. Abort the
    // multipart upload now.
    if (error instanceof CatalogError && error.kind === 'conflict')
      await bucket.abortMultipartUploads(key).catch(() => {});
    throw error;
  }
}

/** Sends bytes as the next part of the final object. The caller must record the returned part. */
export async function sendPart(
  { bucket }: ObjectUploadParts,
  upload: UploadInParts,
  { start, size, open }: BytesToSend,
): Promise<ObjectPiece> {
  const { key, partsId } = upload;
  const place = { key, partsId, part: nextPart(upload) };
  const { part, tag } = await bucket.putPart(place, size, open);
  return { start, size, key: null, part, tag };
}

/**
 * Joins the loose pieces into the next part if they are large enough together. Otherwise joins them
 * into one loose piece if there are at least `maxLoosePieces`. Returns the resulting upload. Calls
 * `mayWrite` before recording the result; if `mayWrite` throws, rejects with this error. Throws
 * `busy` if the recorded pieces have changed meanwhile.
 */
export async function joinLoosePieces(
  parts: ObjectUploadParts,
  upload: ObjectUpload,
  mayWrite: () => void,
): Promise<ObjectUpload> {
  const loose = loosePieces(upload);
  if (sizeOf(loose) >= partSize(nextPart(upload))) return joinAsPart(parts, upload, mayWrite);
  if (loose.length < maxLoosePieces) return upload;
  const bytes = bytesOf(parts.bucket, loose);
  const key = newKeyInSameArea(upload.key);
  await parts.records.recordOrphan(key);
  await parts.joins.run(() => parts.bucket.putStream(key, bytes.size, bytes.open));
  mayWrite();
  return recordJoined(parts, upload, { start: bytes.start, size: bytes.size, key, part: null });
}

/**
 * Creates the final object of an upload from its pieces. Returns the object's key, and its size in
 * bytes. Throws `damaged upload` if a part is missing.
 */
export async function completeObject(
  parts: ObjectUploadParts,
  upload: ObjectUpload,
): Promise<{ key: string; size: number }> {
  const { bucket, uploads } = parts;
  if (upload.wholeSize !== null) return { key: upload.key, size: upload.wholeSize };
  const size = sizeOf(upload.pieces);
  const [first, second] = upload.pieces;
  let { key } = upload;
  if (upload.partsId !== null) await finish(parts, upload, size);
  else if (first !== undefined && first.key !== null && second === undefined) key = first.key;
  else if (first === undefined) await bucket.put(key, Buffer.alloc(0));
  else {
    const { open } = bytesOf(bucket, loosePieces(upload));
    await parts.joins.run(() => bucket.putStream(key, size, open));
  }
  const keys = await uploads.makeWhole(upload.folder, key, size);
  void dropObjects(parts, keys);
  return { key, size };
}

async function finish(parts: ObjectUploadParts, upload: ObjectUpload, size: number): Promise<void> {
  const { pieces, key } =
    loosePieces(upload).length > 0 ? await joinAsPart(parts, upload, () => {}) : upload;
  const sent: SentPart[] = pieces.map((piece) => {
    if (piece.part === null) throw damagedUpload();
    return { part: piece.part, tag: piece.tag };
  });
  try {
    await parts.bucket.completeMultipartUpload(key, upload.partsId ?? '', { parts: sent, size });
  } catch (error) {
    throw isInvalidPart(error) ? damagedUpload() : error;
  }
}

async function joinAsPart(
  parts: ObjectUploadParts,
  upload: ObjectUpload,
  mayWrite: () => void,
): Promise<ObjectUpload> {
  const bytes = bytesOf(parts.bucket, loosePieces(upload));
  const named = await ensureMultipart(parts, upload);
  const piece = await parts.joins.run(() => sendPart(parts, named, bytes));
  mayWrite();
  return recordJoined(parts, named, piece);
}

/** Records a piece that replaces all loose pieces of an upload. */
async function recordJoined(
  parts: ObjectUploadParts,
  upload: ObjectUpload,
  piece: ObjectPiece,
): Promise<ObjectUpload> {
  const joined = loosePieces(upload).map(({ key }) => key);
  await parts.uploads.joinPieces(upload.folder, upload.key, piece, joined);
  void dropPieces(parts, joined);
  return { ...upload, pieces: [...upload.pieces.filter(({ key }) => key === null), piece] };
}

/** Returns the pieces as one sequence of bytes. */
function bytesOf(bucket: Bucket, pieces: readonly LoosePiece[]): BytesToSend {
  async function* read() {
    for (const { key, size } of pieces) {
      for await (const piece of await bucket.get(key, 0, size - 1)) {
        yield piece;
        countStreamedBytes(piece.byteLength);
      }
    }
  }
  return {
    start: pieces[0]?.start ?? 0,
    size: sizeOf(pieces),
    open: async () => Readable.from(read(), { objectMode: false }),
  };
}

function sizeOf(pieces: readonly { readonly size: number }[]): number {
  return pieces.reduce((sum, { size }) => sum + size, 0);
}
