import {
  archiveFormats,
  cartridgeFormats,
  packedContainers,
  plainContainers,
  sheetFormats,
} from './containers.ts';
import type { Identity } from './identity.ts';
import type { IdentifiedFile } from './library-file.ts';
import { imagesAmong, isSheetName } from './main-member.ts';

const archives: ReadonlySet<string> = new Set(archiveFormats);
const cartridges: ReadonlySet<string> = new Set(cartridgeFormats);
const plain: ReadonlySet<string> = new Set(plainContainers);
const sheets: ReadonlySet<string> = new Set(sheetFormats);
const sometimesPacked: ReadonlySet<string> = new Set(
  Object.entries(packedContainers).flatMap(([name, { hashes }]) =>
    hashes === 'image or file' ? [name] : [],
  ),
);

/** Returns true if the content inside a file is hashed, and not the file's own bytes. */
export function isPacked({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  const { container, imageSize } = identity;
  return sometimesPacked.has(container) ? imageSize !== null : !plain.has(container);
}

/**
 * Number of files above which an archive counts as large. Several copies of a large archive's
 * records are in memory while they are processed. So only one large archive is hashed and stored at
 * a time.
 */
export const manyMembers = 2_000;

const packedTar = /\.(?:tar\.(?:gz|xz|zst)|tgz|txz|tzst)$/i;

/**
 * Returns true if an archive contains, or may contain, more than `manyMembers` files. The members
 * of a packed tar are unknown until it is unpacked, so the file name decides.
 */
export function mayHaveManyMembers({ name, identity }: Pick<IdentifiedFile, 'name' | 'identity'>) {
  return identity.members.length > manyMembers || (isArchive(identity) && packedTar.test(name));
}

function isArchive({ container }: Pick<Identity, 'container'>): boolean {
  return archives.has(container);
}

/** Returns true if the original image can be restored from the file. */
export function isRestorable({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.unrestorable === undefined;
}

/** Returns true if a file is a cartridge dump. DATs may list a cartridge dump in another form. */
export function isCartridge({ container }: Pick<Identity, 'container'>): boolean {
  return cartridges.has(container);
}

/**
 * Returns true if stored hashes are from an earlier version of the program, and this version would
 * hash more. The first argument is the file as identified now. The second argument is the record
 * with the stored hashes. The result is true for:
 * - A packed file if only its own bytes were hashed, before the program could read the content.
 * - A cartridge dump that was hashed only in its own form.
 * - An archive with files that were not hashed.
 * - An archive with only one image, if a sheet may divide the image into tracks.
 * - A part of a split image that was hashed on its own.
 */
export function areHashesOutdated(
  { identity, size }: Pick<IdentifiedFile, 'identity' | 'size'>,
  { hashes, identity: read }: Pick<IdentifiedFile, 'identity' | 'hashes'>,
): boolean {
  if (isCartridge(identity)) return read.forms === undefined;
  if (hashes !== null && isArchive(identity)) {
    const areAllHashed = read.members.length > 0 && read.members.every((member) => member.hashes);
    return !areAllHashed || mayLackTracks(read);
  }
  const isLaterPart = identity.container === 'part';
  return (
    (isPacked({ identity }) || isFirstPart({ identity }) || isLaterPart) && hashes?.size === size
  );
}

/**
 * Returns true if a file is the first part of a split image. The other parts are read together with
 * the first part.
 */
export function isFirstPart({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.sheet.length > 0 && !sheets.has(identity.container);
}

/**
 * Returns true if the tracks of an archive may be missing from its record. A sheet may divide the
 * only image into tracks, and only hashing can determine these tracks.
 */
function mayLackTracks({ members, tracks }: Pick<Identity, 'members' | 'tracks'>): boolean {
  const hasSheet = members.some(({ name }) => isSheetName(name));
  return hasSheet && tracks.length === 0 && imagesAmong(members).length === 1;
}
