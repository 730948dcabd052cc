import { manyMembers } from '../../../core/library/packed.ts';
import { refused } from '../../../core/shared/errors.ts';
import { Slices } from '../../../core/shared/slices.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { StreamImage } from '../../stream-image.ts';

/** A file in an archive, as its directory describes it, which may be a lie. */
export interface FoundMember {
  /** For showing and comparing only, never a path. */
  readonly name: string;
  /** Uncompressed, in bytes. */
  readonly size: number;
  /** Null when the archive does not state it. */
  readonly crc32: string | null;
  /** The start of the member, without much reading; null when that cannot be had. */
  readonly openStart: (() => Promise<MemberStart>) | null;
}

/** A member of which not everything may be in reach. */
export interface MemberStart extends StreamImage {
  close(): Promise<void>;
}

/** What an archive's directory tells; filled while it is read. */
export interface MemberList {
  readonly members: FoundMember[];
  /** Why the members cannot be unpacked, as a sentence about "it". */
  problem: string | null;
  /** Bytes of what unpacking has to keep. */
  dictionary: number;
  /** Characters of all names. */
  names: number;
  /** Unpacked, of all members. */
  bytes: number;
  /** To be waited for before many members are read. */
  readonly beforeMany: () => Promise<void>;
  readonly slices: Slices;
}

const MOST_MEMBERS = 10_000;
const MOST_NAME = 1024;
const MOST_NAMES = 1024 * 1024;
/** Unpacked bytes of one archive; a Blu-ray disc has 100 GB at most. */
export const MOST_BYTES = 128 * 1024 ** 3;

export function newList(beforeMany: () => Promise<void> = async () => {}): MemberList {
  const slices = new Slices();
  return { members: [], problem: null, dictionary: 0, names: 0, bytes: 0, beforeMany, slices };
}

/** To be waited for between two members, where more may follow. */
export async function waitAtMany({ members, beforeMany, slices }: MemberList): Promise<void> {
  if (members.length === manyMembers) await beforeMany();
  if (slices.isOver) await slices.next();
}

/** Throws a refused `CatalogError` where a list becomes longer, or what it names larger, than in any real archive. */
export function addMember(list: MemberList, member: FoundMember): void {
  const { members } = list;
  const name = ownText(member.name.slice(0, MOST_NAME).toWellFormed());
  list.names += name.length;
  list.bytes += member.size;
  if (members.length === MOST_MEMBERS || list.names > MOST_NAMES) {
    throw refused(`it holds more than ${members.length} files`);
  }
  members.push({ ...member, name });
  if (list.bytes > MOST_BYTES) list.problem ??= tooLarge;
}

/** The same text without the one that it was cut out of; one byte a character where it is ASCII, also from UTF-16. */
const ownText = (text: string) => Buffer.from(text).toString();

/** Said of what would be unpacked without end. */
export const tooLarge = 'it says to hold more than 128 GiB, and is not unpacked';

export const hex32 = (sum: number) => sum.toString(16).padStart(8, '0');

/** A part of a file as a member that is not compressed. */
export function startOf(part: ImageBytes): () => Promise<MemberStart> {
  return async () => ({ ...part, isOutOfReach: false, close: async () => undefined });
}

/** Unpacked bytes of a member that the first pass looks at. */
export const MOST_START = 1024 * 1024;
