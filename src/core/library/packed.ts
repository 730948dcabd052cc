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

/** Whether the content of a file is hashed instead of the file's own bytes. */
export function isPacked({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  const { container, imageSize } = identity;
  // The EBOOT.PBP of a PSP game is hashed as it is.
  return packed.includes(container) || (container === 'pbp' && imageSize !== null);
}

/**
 * An archive with more files than this counts as large. Its records are in memory several times
 * while they are passed on, so only one such archive is hashed and stored at a time.
 */
export const manyMembers = 2_000;

const packedTar = /\.(?:tar\.(?:gz|xz|zst)|tgz|txz|tzst)$/i;

/**
 * Whether an archive holds many files, or may: only unpacking a packed tar tells, so its name is a
 * hint until then.
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
 * Whether hashes are from an earlier version of the program and lack something that would be hashed
 * today. This applies to hashes of a packed file's own bytes, from before there was a reader for
 * its content. It also applies to a cartridge hashed in its own form only, and to an archive of
 * several files of which only one was hashed. It applies to an image in an archive that the sheet
 * next to it may divide into tracks. Finally, it applies to a later part hashed on its own. `read`
 * is the result of an earlier second pass.
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

/** Whether a file is continued by other files, which are read with it. */
export function isJoined({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.sheet.length > 0 && !sheets.includes(identity.container);
}

/**
 * Whether tracks may be missing: only hashing can tell that the sheet does not divide the only
 * image.
 */
function mayLackTracks({ members, tracks }: Pick<Identity, 'members' | 'tracks'>): boolean {
  const hasSheet = members.some(({ name }) => isSheetName(name));
  return hasSheet && tracks.length === 0 && imagesAmong(members).length === 1;
}
