import { createHash } from 'node:crypto';
import type { FileArea, OpenedFile } from '../shared/file-area.ts';

/** A picture of 640 x 16,383 pixels takes less; beyond is none of ours. */
const mostBytes = 16 * 1_048_576;
/** Raised when thumbnails are made otherwise, so that those of before are made again. */
const making = 1;
const markBytes = 64;

/** The widths that thumbnails are made in, in pixels. */
export const thumbnailWidths = [160, 320, 640] as const;
export type ThumbnailWidth = (typeof thumbnailWidths)[number];

export function thumbnailName(releaseId: number, width: ThumbnailWidth): string {
  return `${releaseId}-${width}.webp`;
}

export function thumbnailNames(releaseId: number): string[] {
  return thumbnailWidths.map((width) => thumbnailName(releaseId, width));
}

/** What is stored: the picture, and behind it, where readers of WebP look at nothing, of which cover it is. */
export function marked(picture: Uint8Array, tag: string): Uint8Array {
  return Buffer.concat([picture, markOf(picture, tag)]);
}

/** The picture that is stored under this name; null when it is not there, is another cover's, or not whole. */
export async function readThumbnail(
  area: FileArea,
  name: string,
  tag: string,
): Promise<Uint8Array | null> {
  const file = await area.open(name);
  if (file === null) return null;
  if (file.size > mostBytes) {
    await file.close();
    return null;
  }
  const bytes = await bytesOf(file);
  const picture = bytes.subarray(0, Math.max(0, bytes.length - markBytes));
  return markOf(picture, tag).equals(bytes.subarray(picture.length)) ? picture : null;
}

/** All of a file, whose size the caller has looked at. */
export async function bytesOf(file: OpenedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Strong (RFC 9110, 8.8.3): the same picture has the same one, also when it was made again. */
export function thumbnailEtag(picture: Uint8Array): string {
  return `"${hashOf(picture)}"`;
}

function markOf(picture: Uint8Array, tag: string): Buffer {
  return Buffer.from(`\ncatalog ${making} ${tag} ${hashOf(picture)}`.padEnd(markBytes));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}
