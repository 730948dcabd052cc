import type { IdentifiedFile } from './library-file.ts';
import { holdOneDisc, mainMember } from './main-member.ts';
import { printedSerials } from './printed-serials.ts';

/** The keys that a file is looked up by; "" or an empty list where it has none. */
export interface LookUp {
  /**
   * SHA-1 of the file and its other forms, those that its container states of the image and itself,
   * then those of archive members. The first that matches counts.
   */
  readonly sha1: readonly string[];
  /** MD5 of the file and of its other forms, then of an archive's members. */
  readonly md5: readonly string[];
  /**
   * Images by CRC-32 and size: the file, its other forms, the image that it states, then an
   * archive's members, the main one first. The first that matches counts.
   */
  readonly images: readonly { crc32: string; size: number }[];
  /** Size of the image in bytes; null if unknown. */
  readonly size: number | null;
  readonly serials: readonly string[];
  /**
   * The first four letters of a Nintendo id6, which are part of a printed serial such as
   * DL-DOL-GW7P-EUR.
   */
  readonly gameCode: string;
  /** The file's name, with and without its extension, and that of an archive's main member. */
  readonly names: readonly string[];
}

/** Returns the keys for looking up a file in the catalogue. */
export function lookUpOf(file: IdentifiedFile): LookUp {
  const { identity } = file;
  // The hashes of an empty file say nothing: every empty ROM has them.
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
    // The name of an archive with several discs is not the name of any of them.
    names: holdOneDisc(members)
      ? unique([file.name, plain, ...(main?.name ? [main.name] : [])])
      : [],
  };
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
