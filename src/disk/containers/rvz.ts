import { createHash } from 'node:crypto';
import { refused } from '../../core/shared/errors.ts';
import { readNintendo } from '../disc/nintendo.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, statedSize } from '../image-bytes.ts';

const FILE_HEAD = 0x48;
const FILE_HEAD_HASHED = 0x34;
/** The disc's description has 0xDC bytes; its copy of the disc's first 0x80 bytes ends at 0x90. */
const LEAST_DISC = 0x90;
const MOST_DISC = 0x1000;

/**
 * Reads the headers of an RVZ or WIA: its copy of the disc's first 0x80 bytes is not compressed. Throws a refused
 * `CatalogError` when it is cut or a checksum differs, with what it says in the draft.
 *
 * Source: dolphin-emu/dolphin `docs/WiaAndRvz.md`: at 0x0C the length of the disc's description, at 0x10 its SHA-1, at
 * 0x24 the image's size, at 0x2C this file's, at 0x34 the SHA-1 of all before; the description at 0x48, in it the
 * disc's first bytes at 0x10; all big-endian.
 */
export async function readRvz(file: ImageBytes, draft: Draft): Promise<void> {
  const head = await file.read(0, FILE_HEAD);
  draft.imageSize = statedSize(head.readBigUInt64BE(0x24));
  const length = head.readUInt32BE(0x0c);
  if (length < LEAST_DISC || length > MOST_DISC) throw refused('its header is damaged');
  const disc = await file.read(FILE_HEAD, length);
  readNintendo(disc.subarray(0x10, 0x90), draft);
  if (!sha1(head.subarray(0, FILE_HEAD_HASHED)).equals(head.subarray(FILE_HEAD_HASHED))) {
    throw refused('its header is damaged: its checksum differs');
  }
  if (!sha1(disc).equals(head.subarray(0x10, 0x24))) {
    throw refused('its disc header is damaged: its checksum differs');
  }
  const stated = statedSize(head.readBigUInt64BE(0x2c));
  if (stated > file.size) throw refused(`it is cut: it has ${file.size} of ${stated} bytes`);
}

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
