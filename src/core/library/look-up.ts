import type { IdentifiedFile } from './library-file.ts';
import { holdOneDisc, mainMember } from './main-member.ts';
import { printedSerials } from './printed-serials.ts';

/** What a file is looked up by; "" or an empty list where it has none. */
export interface LookUp {
  /** That of the file, of its other forms, those that its container states of the image and of itself; the first that matches counts. */
  readonly sha1: readonly string[];
  /** Of the file and its other forms. */
  readonly md5: readonly string[];
  /**
   * Images by crc32 and size: that of the file, its other forms, the one that it states, then an archive's members, the one
   * that counts first; the first that matches counts.
   */
  readonly images: readonly { crc32: string; size: number }[];
  /** Bytes of the image; null when unknown. */
  readonly size: number | null;
  readonly serials: readonly string[];
  /** The first four letters of a Nintendo id6, which stand inside a printed serial such as DL-DOL-GW7P-EUR. */
  readonly gameCode: string;
  /** The file's name, and that without its ending. */
  readonly names: readonly string[];
}

/** What a file is looked up by in the catalogue. */
export function lookUpOf(file: IdentifiedFile): LookUp {
  const { identity } = file;
  // Of an empty file the hashes say nothing: every empty ROM has them.
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
    // The name of an archive with several images is that of none of them.
    names: holdOneDisc(members)
      ? unique([file.name, plain, ...(main?.name ? [main.name] : [])])
      : [],
  };
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
