import { createHash } from 'node:crypto';
import type { FileArea } from '../shared/files/file-area.ts';
import { readWholeFile } from '../shared/files/read-whole-file.ts';
import { type ThumbnailWidth, thumbnailWidths } from './thumbnail-sizes.ts';

/**
 * Maximum size of a thumbnail file in bytes. Even the widest thumbnail with the maximum height of a
 * WebP, 16,383 pixels, is smaller.
 */
const maxThumbnailBytes = 16 * 1_048_576;
/**
 * Version of the thumbnail format. Increase it when the conversion changes, so that existing
 * thumbnails are made again.
 */
const thumbnailVersion = 1;
const markBytes = 64;

export function thumbnailName(releaseId: number, width: ThumbnailWidth): string {
  return `${releaseId}-${width}.webp`;
}

export function thumbnailNames(releaseId: number): string[] {
  return thumbnailWidths.map((width) => thumbnailName(releaseId, width));
}

/**
 * Returns the bytes to store: the picture, followed by a 64-byte mark that identifies the cover's
 * version. WebP readers ignore bytes after the picture.
 */
export function withMark(picture: Uint8Array, tag: string): Uint8Array {
  return Buffer.concat([picture, markOf(picture, tag)]);
}

/**
 * Returns the picture of a stored thumbnail. Returns null when the file is missing or incomplete,
 * or was made from another version of the cover.
 */
export async function readThumbnail(
  area: FileArea,
  name: string,
  tag: string,
): Promise<Uint8Array | null> {
  const file = await area.open(name);
  if (file === null) return null;
  if (file.size > maxThumbnailBytes) {
    await file.close();
    return null;
  }
  const bytes = await readWholeFile(file);
  const picture = bytes.subarray(0, Math.max(0, bytes.length - markBytes));
  return markOf(picture, tag).equals(bytes.subarray(picture.length)) ? picture : null;
}

/**
 * Returns a strong ETag, computed from the picture's bytes (RFC 9110, 8.8.3). If a thumbnail is
 * made again with the same bytes, the ETag stays the same.
 */
export function thumbnailEtag(picture: Uint8Array): string {
  return `"${hashOf(picture)}"`;
}

function markOf(picture: Uint8Array, tag: string): Buffer {
  return Buffer.from(`\ncatalog ${thumbnailVersion} ${tag} ${hashOf(picture)}`.padEnd(markBytes));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}
