import type { IdentifiedFile } from '../library-file.ts';
import { belongToOneDisc, mainMember } from '../main-member.ts';
import { printedSerials } from './printed-serials.ts';

/**
 * The keys for looking up a file in the catalogue. A key that the file does not have is "", null or
 * an empty list.
 */
export interface LookupKeys {
  /**
   * SHA-1 hashes. The first hash that matches a ROM is used. The order is:
   * - The file and its other forms.
   * - The image, as stated by the container.
   * - The container's own content, as stated by the container.
   * - The members of an archive.
   */
  readonly sha1: readonly string[];
  /** MD5 hashes of the file and its other forms, then of the members of an archive. */
  readonly md5: readonly string[];
  /**
   * CRC-32 and size of images. The first image that matches a ROM is used. The order is:
   * - The file and its other forms.
   * - The original image that the file states.
   * - The main member of an archive.
   * - All unpacked members, then all members as the archive lists them.
   */
  readonly images: readonly { crc32: string; size: number }[];
  /** Size of the image in bytes. Null if the size is unknown. */
  readonly size: number | null;
  readonly serials: readonly string[];
  /**
   * The first four letters of the id6 of a GameCube or Wii disc. A printed serial, such as
   * DL-DOL-GW7P-EUR, contains these letters.
   */
  readonly gameCode: string;
  /**
   * The file's name with extension, without extension, and the name of an archive's main member.
   * Empty for an archive of several discs.
   */
  readonly names: readonly string[];
}

/** Returns the keys for looking up a file in the catalogue. */
export function lookupKeysOf(file: IdentifiedFile): LookupKeys {
  const { identity } = file;
  // Ignore the hashes of an empty file, because all empty ROMs have the same hashes.
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
    // If an archive contains several discs, its name is not used, because the name does not
    // identify any of the discs.
    names: belongToOneDisc(members)
      ? unique([file.name, plain, ...(main?.name ? [main.name] : [])])
      : [],
  };
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
