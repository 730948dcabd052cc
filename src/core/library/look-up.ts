import type { IdentifiedFile } from './library-file.ts';
import { holdOneDisc, mainMember } from './main-member.ts';
import { printedSerials } from './printed-serials.ts';

/**
 * The keys by which a file is looked up in the catalogue. A key that the file does not have is ""
 * or an empty list.
 */
export interface LookUp {
  /**
   * SHA-1 hashes of the file and its other forms. Then the hashes that its container states of the
   * image and of itself, then those of archive members. The first hash that matches a ROM is used.
   */
  readonly sha1: readonly string[];
  /** MD5 of the file and of its other forms, then of an archive's members. */
  readonly md5: readonly string[];
  /**
   * CRC-32 and size of images: the file, its other forms, the original image that it states, then
   * archive members, the main member first. The first image that matches a ROM is used.
   */
  readonly images: readonly { crc32: string; size: number }[];
  /** Size of the image in bytes; null if unknown. */
  readonly size: number | null;
  readonly serials: readonly string[];
  /**
   * The first four letters of a Nintendo id6. A printed serial such as DL-DOL-GW7P-EUR contains
   * them.
   */
  readonly gameCode: string;
  /** The file's name, with and without extension, and the name of an archive's main member. */
  readonly names: readonly string[];
}

/** Returns the keys for looking up a file in the catalogue. */
export function lookUpOf(file: IdentifiedFile): LookUp {
  const { identity } = file;
  // Ignore the hashes of an empty file: every empty ROM has the same ones.
  const hashes = file.hashes?.size === 0 ? null : file.hashes;
  const forms = hashes === null ? [] : [hashes, ...(identity.forms ?? [])];
  const { members } = identity;
  const main = mainMember(members);
  const unpacked = members
    .flatMap((member) => [member.hashes ?? [], member.forms ?? []].flat())
    .filter(({ size }) => size > 0);
  const isNintendo = identity.disc === 'gamecube' || identity.disc === 'wii';
  const serial = identity.serial ?? '';
  const plain = file.name.replace(/\.[^.]{1,5}$/, '');
  return {
    sha1: unique(
      [...forms, { sha1: identity.sha1 }, { sha1: identity.statedSha1 }, ...unpacked].flatMap(
        ({ sha1 }) => sha1 ?? [],
      ),
    ),
    md5: unique([...forms, ...unpacked].map(({ md5 }) => md5)),
    images: [forms, identity.statedImage ?? [], main ?? [], unpacked, members]
      .flat()
      .flatMap(({ crc32, size }) => (crc32 === null || size === 0 ? [] : [{ crc32, size }])),
    size: identity.imageSize ?? file.hashes?.size ?? null,
    serials: printedSerials(identity),
    gameCode: isNintendo ? serial.slice(0, 4).toUpperCase() : '',
    // An archive's name is not used if the archive contains several discs, because it names none of
    // them.
    names: holdOneDisc(members)
      ? unique([file.name, plain, ...(main?.name ? [main.name] : [])])
      : [],
  };
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
