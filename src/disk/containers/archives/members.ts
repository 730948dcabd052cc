import { manyMembers } from '../../../core/library/packed.ts';
import { refused } from '../../../core/shared/errors.ts';
import { Slices } from '../../../core/shared/slices.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { StreamImage } from '../../stream-image.ts';

/** A file in an archive, as its directory describes it. The description may be false. */
export interface FoundMember {
  /** For display and comparison only; never used as a path. */
  readonly name: string;
  /** Uncompressed size, in bytes. */
  readonly size: number;
  /** Null when the archive does not state it. */
  readonly crc32: string | null;
  /** Opens the start of the member without reading much; null if that is impossible. */
  readonly openStart: (() => Promise<MemberStart>) | null;
}

/** A member whose content may be only partly reachable. */
export interface MemberStart extends StreamImage {
  close(): Promise<void>;
}

/** The contents of an archive's directory; filled while it is read. */
export interface MemberList {
  readonly members: FoundMember[];
  /** Why the members cannot be unpacked, as a sentence about "it". */
  problem: string | null;
  /** Bytes that unpacking has to keep. */
  dictionary: number;
  /** Total characters of all names. */
  names: number;
  /** Unpacked size of all members, in bytes. */
  bytes: number;
  /** Must be awaited before many members are read. */
  readonly beforeMany: () => Promise<void>;
  readonly slices: Slices;
}

const MOST_MEMBERS = 10_000;
const MOST_NAME = 1024;
const MOST_NAMES = 1024 * 1024;
/** Maximum unpacked size of one archive, in bytes; a Blu-ray disc has at most 100 GB. */
export const MOST_BYTES = 128 * 1024 ** 3;

export function newList(beforeMany: () => Promise<void> = async () => {}): MemberList {
  const slices = new Slices();
  return { members: [], problem: null, dictionary: 0, names: 0, bytes: 0, beforeMany, slices };
}

/** Must be awaited between two members when more may follow. */
export async function waitAtMany({ members, beforeMany, slices }: MemberList): Promise<void> {
  if (members.length === manyMembers) await beforeMany();
  if (slices.isOver) await slices.next();
}

/**
 * Adds a member. Throws a refused `CatalogError` when the list has more files, or longer names,
 * than any real archive. Sets the list's problem when the members are too large.
 */
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

/**
 * Copies a text so that it does not retain the longer text it was cut from. ASCII takes one byte
 * per character, even if it was decoded from UTF-16.
 */
const ownText = (text: string) => Buffer.from(text).toString();

/** The problem of an archive whose unpacking would have no reasonable end. */
export const tooLarge = 'it says to hold more than 128 GiB, and is not unpacked';

export const hex32 = (sum: number) => sum.toString(16).padStart(8, '0');

/** Returns an opener for a member that is not compressed; `part` holds its bytes. */
export function startOf(part: ImageBytes): () => Promise<MemberStart> {
  return async () => ({ ...part, isOutOfReach: false, close: async () => undefined });
}

/** Maximum unpacked bytes of a member that the first pass reads. */
export const MOST_START = 1024 * 1024;
