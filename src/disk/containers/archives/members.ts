import { manyMembers } from '../../../core/library/container-kinds.ts';
import { Slices } from '../../../core/shared/concurrency/slices.ts';
import { refused } from '../../../core/shared/errors.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { StreamImage } from '../../unpack/stream-image.ts';

/**
 * A file in an archive, as the archive's directory describes the file. The description may be
 * false.
 */
export interface FoundMember {
  /** The file's name, for display and comparison only. Never use this name as a path. */
  readonly name: string;
  /** Uncompressed size, in bytes. */
  readonly size: number;
  /** The file's CRC-32 in lower-case hex. Null if the archive states no CRC-32. */
  readonly crc32: string | null;
  /**
   * Opens the start of the member by reading only a little of the archive. Null if this is not
   * possible, for example because much data would have to be unpacked first.
   */
  readonly openStart: (() => Promise<MemberStart>) | null;
}

/** The start of a member. A read that goes too far into the member may fail. */
export interface MemberStart extends StreamImage {
  close(): Promise<void>;
}

/** The contents of an archive's directory. The list is filled while the directory is read. */
export interface MemberList {
  readonly members: FoundMember[];
  /**
   * Reason why the members cannot be unpacked, or null if they can. The reason is a sentence in
   * which "it" means the archive.
   */
  problem: string | null;
  /** Size of the dictionary that unpacking needs, in bytes. */
  dictionary: number;
  /** Total number of characters in all names. */
  names: number;
  /** Unpacked size of all members, in bytes. */
  bytes: number;
  /** Must be awaited before more than `manyMembers` members are read. */
  readonly beforeMany: () => Promise<void>;
  readonly slices: Slices;
}

const MAX_MEMBERS = 10_000;
const MAX_NAME_LENGTH = 1024;
const MAX_NAMES_LENGTH = 1024 * 1024;
/** Maximum unpacked size of one archive, in bytes. A Blu-ray disc has at most 100 GB. */
export const MAX_BYTES = 128 * 1024 ** 3;

export function newList(beforeMany: () => Promise<void> = async () => {}): MemberList {
  const slices = new Slices();
  return { members: [], problem: null, dictionary: 0, names: 0, bytes: 0, beforeMany, slices };
}

/**
 * Lets other work run if the current time slice is over. Awaits `beforeMany` when the list reaches
 * `manyMembers` members. Must be called between two members.
 */
export async function waitAtMany({ members, beforeMany, slices }: MemberList): Promise<void> {
  if (members.length === manyMembers) await beforeMany();
  if (slices.isOver) await slices.next();
}

/**
 * Adds a member to the list. Throws a `CatalogError` of kind `refused` if the archive already has
 * `MAX_MEMBERS` files, or if all names together exceed `MAX_NAMES_LENGTH`. Sets the list's problem
 * if the total size of the members is too large.
 */
export function addMember(list: MemberList, member: FoundMember): void {
  const { members } = list;
  const name = ownText(member.name.slice(0, MAX_NAME_LENGTH).toWellFormed());
  list.names += name.length;
  list.bytes += member.size;
  if (members.length === MAX_MEMBERS || list.names > MAX_NAMES_LENGTH) {
    throw refused(`it holds more than ${members.length} files`);
  }
  members.push({ ...member, name });
  if (list.bytes > MAX_BYTES) list.problem ??= tooLarge;
}

/**
 * Copies a text that is a part of a longer text, so that the longer text can be freed. The copy of
 * an ASCII text takes one byte per character, even if the original was decoded from UTF-16.
 */
const ownText = (text: string) => Buffer.from(text).toString();

/** The problem of an archive that states an unpacked size above `MAX_BYTES`. */
export const tooLarge = 'it says to hold more than 128 GiB, and is not unpacked';

export const hex32 = (sum: number) => sum.toString(16).padStart(8, '0');

/**
 * Returns the `openStart` function of an uncompressed member. `part` contains the member's bytes.
 */
export function startOf(part: ImageBytes): () => Promise<MemberStart> {
  return async () => ({ ...part, isOutOfReach: false, close: async () => undefined });
}

/** Maximum number of unpacked bytes that are read from a member to identify the member. */
export const MAX_START_BYTES = 1024 * 1024;
