import { crc32 } from 'node:zlib';
import type { ArchiveMember, Container } from '../core/library/identity.ts';
import type { TrackedHashes } from '../core/library/library-file.ts';
import { holdOneDisc, mainMember } from '../core/library/main-member.ts';
import { refused } from '../core/shared/errors.ts';
import { otherSum } from '../zip/read-entry.ts';
import { hex32 } from './containers/archives/members.ts';
import { type Archive, takeDisc } from './containers/archives/read-archive.ts';
import {
  type UnpackedMember,
  unpackMembers,
  withHead,
} from './containers/archives/unpack-members.ts';
import { recogniseContainer } from './containers/recognise.ts';
import { MOST_SHEET_BYTES } from './containers/sheet.ts';
import { type Draft, newDraft } from './draft.ts';
import { readInner } from './identify.ts';
import { checkRange, type ImageBytes } from './image-bytes.ts';
import type { ImageFile } from './image-file.ts';
import { withSpooled } from './spool.ts';
import { pullImage, readWhilePassing, type StreamImage } from './stream-image.ts';

/** How what is inside is hashed. */
export interface Hashing {
  /** The hashes of a stream, whose size may be infinite where it is not known. */
  hash(pieces: AsyncIterable<Buffer>, size: number): Promise<TrackedHashes>;
  /** The image in a packed one, which is read from its start to its end; null for all others. */
  openPacked(file: ImageBytes, container: Container): Promise<ImageBytes | null>;
  piecesOf(image: ImageBytes): AsyncIterable<Buffer>;
  /** Whether an image is packed so that it has to be read here and there. */
  needsFile(container: Container): boolean;
  hashFile(file: ImageFile, container: Container): Promise<TrackedHashes>;
  /** The folder for what has to be unpacked to a file. */
  readonly spool: string;
}

interface HashedMember {
  readonly member: ArchiveMember;
  readonly hashes: TrackedHashes;
  readonly inner: Draft;
}

/**
 * Hashes every file in an archive, in one pass, and reads what discs inside say they are. The hashes returned are those of the
 * main member. Throws a refused `CatalogError` when it is damaged or cannot be unpacked, and what reading it throws.
 */
export async function hashArchive(
  path: string,
  file: ImageFile,
  archive: Archive,
  hashing: Hashing,
): Promise<TrackedHashes> {
  const all: HashedMember[] = [];
  for await (const member of unpackMembers(path, file, archive)) {
    all.push(await hashMember(member, hashing));
  }
  const members = all.map(({ member }) => member);
  const main = all.find(({ member }) => member === mainMember(members));
  if (!main) throw refused('it holds no file');
  const draft = newDraft();
  const isOne = holdOneDisc(members);
  const discs = all.filter(({ inner }) => inner.disc !== null);
  const [disc] = discs.includes(main) ? [main] : discs;
  const areSeveral = discs.length > 1 && (!isOne || new Set(discs.map(discKey)).size > 1);
  if (areSeveral) draft.evidence['discs inside'] = discs.slice(0, 20).map(discKey).join(', ');
  else if (disc) takeDisc(draft, disc.inner);
  draft.problem = (disc ?? main).inner.problem;
  const { serial, edition, title, evidence, problem } = draft;
  const imageSize = isOne && !areSeveral ? main.hashes.size : null;
  const inside = {
    members,
    imageSize,
    disc: draft.disc,
    serial,
    edition,
    title,
    evidence,
    problem,
  };
  return { ...main.hashes, inside };
}

const discKey = ({ inner: { disc, serial, edition } }: HashedMember) =>
  [disc, serial, edition.disc].filter((part) => part !== null).join(' ');

async function hashMember(unpacked: UnpackedMember, hashing: Hashing): Promise<HashedMember> {
  const { name, size: stated, crc32 } = unpacked;
  const { head, isWhole, all } = await withHead(unpacked.pieces, MOST_SHEET_BYTES + 1);
  const size = isWhole ? head.length : (stated ?? Infinity);
  const container = await recogniseContainer(startIn(head, size));
  const { own, hashes, inner } = await hashInside(all, size, container, hashing);
  if (crc32 !== null && own.crc32 !== crc32) throw refused(otherSum);
  const { size: bytes, md5, sha1, crc32: sum, forms } = hashes;
  const member = { name, ...own, hashes: { size: bytes, crc32: sum, md5, sha1 }, forms };
  return { member, hashes, inner };
}

interface Inside {
  /** Of the member as it is, which may be a packed image. */
  readonly own: { readonly size: number; readonly crc32: string };
  readonly hashes: TrackedHashes;
  readonly inner: Draft;
}

async function hashInside(
  pieces: AsyncIterable<Buffer>,
  size: number,
  container: Container,
  hashing: Hashing,
): Promise<Inside> {
  let inner = newDraft();
  const read = async (image: StreamImage) => {
    inner = await readInner(image);
    if (image.isOutOfReach) inner.problem = null;
  };
  if (hashing.needsFile(container)) {
    const own = new Count();
    const hashes = await withSpooled(own.counting(pieces), hashing.spool, async (file) => {
      inner = await readInner(file);
      return hashing.hashFile(file, container);
    });
    return { own: own.result(), hashes, inner };
  }
  const own = new Count();
  const outer = pullImage(own.counting(pieces), size);
  const packed = await hashing.openPacked(outer, container);
  if (packed === null) {
    const hashes = await hashing.hash(readWhilePassing(pieces, size, read), size);
    return { own: { size: hashes.size, crc32: hashes.crc32 }, hashes, inner };
  }
  const inside = hashing.piecesOf(packed);
  const hashes = await hashing.hash(readWhilePassing(inside, packed.size, read), packed.size);
  await outer.drain();
  return { own: own.result(), hashes, inner };
}

/** Size and CRC-32 of what passes. */
class Count {
  #size = 0;
  #sum = 0;

  async *counting(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#size += piece.length;
      this.#sum = crc32(piece, this.#sum);
      yield piece;
    }
  }

  result(): Inside['own'] {
    return { size: this.#size, crc32: hex32(this.#sum) };
  }
}

/** The start of an image as an image. */
function startIn(head: Buffer, size: number): ImageBytes {
  const image = {
    size,
    async read(offset: number, length: number) {
      checkRange({ size: Math.min(size, head.length) }, offset, length);
      return head.subarray(offset, offset + length);
    },
  };
  return image;
}
