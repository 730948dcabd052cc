import type { CartridgeFormat, Identity } from './identity.ts';
import type { IdentifiedFile } from './library-file.ts';
import { imagesAmong, isSheetName } from './main-member.ts';

const nintendo = ['rvz', 'wia', 'gcz', 'wbfs', 'ciso', 'wdf', 'nkit'];
const archives: readonly string[] = ['zip', '7z', 'rar', 'tar', 'gz', 'xz', 'zst'];
const burners = ['mdf', 'nrg', 'cdi', 'ecm'];
const packed: readonly string[] = [
  'cso',
  'zso',
  'dax',
  'chd',
  ...burners,
  ...archives,
  ...nintendo,
];
const sheets: readonly string[] = ['cue', 'gdi', 'ccd', 'mds', 'm3u'];

/** Whether what is inside a file is hashed instead of its own bytes. */
export function isPacked({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  const { container, imageSize } = identity;
  // The file of a PSP game is hashed as it is.
  return packed.includes(container) || (container === 'pbp' && imageSize !== null);
}

/**
 * Of more files than this in an archive what is known stands in memory several times while it is passed on: one such archive
 * is hashed and stored at a time.
 */
export const manyMembers = 2_000;

const packedTar = /\.(?:tar\.(?:gz|xz|zst)|tgz|txz|tzst)$/i;

/** Whether an archive holds many files, or may: of a packed tar only unpacking tells, and until then its name is a hint. */
export function mayHoldMany({ name, identity }: Pick<IdentifiedFile, 'name' | 'identity'>) {
  return identity.members.length > manyMembers || (isArchive(identity) && packedTar.test(name));
}

function isArchive({ container }: Pick<Identity, 'container'>): boolean {
  return archives.includes(container);
}

/** Whether the image as it was can be had from the file. */
export function isRestorable({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.unrestorable === undefined;
}

const cartridges: ReadonlySet<string> = new Set<CartridgeFormat>([
  'ines',
  'fds',
  'lnx',
  'a78',
  'copier',
  'smd',
  'n64',
  'nds',
  'gba',
]);

/** Whether a file is the dump of a cartridge, which may be listed in another form. */
export function isCartridge({ container }: Pick<Identity, 'container'>): boolean {
  return cartridges.has(container);
}

/**
 * Whether hashes are those of an earlier version that lack what would be hashed today: of a packed file's own bytes,
 * before there was a reader for what is inside, of a cartridge in its own form alone, of one file in an archive of
 * several, of an image in an archive that the sheet beside it may divide into tracks, and of a later part by itself. `read`
 * is what an earlier second pass left.
 */
export function areOldHashes(
  { identity, size }: Pick<IdentifiedFile, 'identity' | 'size'>,
  { hashes, identity: read }: Pick<IdentifiedFile, 'identity' | 'hashes'>,
): boolean {
  if (isCartridge(identity)) return read.forms === undefined;
  if (hashes !== null && isArchive(identity)) {
    const areAllHashed = read.members.length > 0 && read.members.every((member) => member.hashes);
    return !areAllHashed || mayLackTracks(read);
  }
  const isLaterPart = identity.container === 'part';
  return (isPacked({ identity }) || isJoined({ identity }) || isLaterPart) && hashes?.size === size;
}

/** Whether other files go on where a file ends, and are read with it. */
export function isJoined({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.sheet.length > 0 && !sheets.includes(identity.container);
}

/** Of an image of one track only hashing can tell that its sheet divides it no further. */
function mayLackTracks({ members, tracks }: Pick<Identity, 'members' | 'tracks'>): boolean {
  const hasSheet = members.some(({ name }) => isSheetName(name));
  return hasSheet && tracks.length === 0 && imagesAmong(members).length === 1;
}
