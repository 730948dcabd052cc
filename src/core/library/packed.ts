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

/** Whether the content inside a file is hashed, instead of the file's own bytes. */
export function isPacked({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  const { container, imageSize } = identity;
  // For the EBOOT.PBP of a PSP game (imageSize is null), the file itself is hashed.
  return packed.includes(container) || (container === 'pbp' && imageSize !== null);
}

/**
 * Number of files above which an archive is treated as large. Records of a large archive are in
 * memory several times while they are passed on. So only one large archive is hashed and stored at
 * a time.
 */
export const manyMembers = 2_000;

const packedTar = /\.(?:tar\.(?:gz|xz|zst)|tgz|txz|tzst)$/i;

/**
 * Whether an archive holds many files, or may hold many. The members of a packed tar are unknown
 * until it is unpacked, so its name is used as a hint.
 */
export function mayHoldMany({ name, identity }: Pick<IdentifiedFile, 'name' | 'identity'>) {
  return identity.members.length > manyMembers || (isArchive(identity) && packedTar.test(name));
}

function isArchive({ container }: Pick<Identity, 'container'>): boolean {
  return archives.includes(container);
}

/** Whether the original image can be restored from the file. */
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

/** Whether a file is a cartridge dump, which may be listed in another form. */
export function isCartridge({ container }: Pick<Identity, 'container'>): boolean {
  return cartridges.has(container);
}

/**
 * Whether hashes are from an earlier version of the program and lack something that this version
 * would hash. This applies to hashes of a packed file's own bytes, from before its content could be
 * read. It also applies to a cartridge hashed in its own form only, and to an archive of which not
 * all files were hashed. It applies to an archive whose only image may be divided into tracks by a
 * sheet. Finally, it applies to a later part of a split image that was hashed on its own. `read` is
 * the result of an earlier second pass.
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

/** Whether a file is the first part of a split image. The other parts are read together with it. */
export function isJoined({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.sheet.length > 0 && !sheets.includes(identity.container);
}

/**
 * Whether tracks may be missing. A sheet may divide the only image into tracks, which only hashing
 * can determine.
 */
function mayLackTracks({ members, tracks }: Pick<Identity, 'members' | 'tracks'>): boolean {
  const hasSheet = members.some(({ name }) => isSheetName(name));
  return hasSheet && tracks.length === 0 && imagesAmong(members).length === 1;
}
