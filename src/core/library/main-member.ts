import type { ArchiveMember } from './identity.ts';

/**
 * Matches the names of files that accompany images in archives: sheets, checksums, texts, pictures.
 */
const accompanyingFile =
  /\.(?:cue|gdi|ccd|sub|mds|toc|m3u8?|txt|nfo|diz|md|pdf|html?|url|xml|json|dat|sfv|md5|sha1|sha256|jpe?g|png|gif|webp|ico|inf|ini)$/i;
const sheet = /\.(?:cue|gdi|ccd|mds|toc)$/i;
/**
 * Matches the track number and the rest of the name, with the spaces before it. The lookbehind
 * keeps a match from starting inside a run of spaces and underscores.
 */
const track = /(?<![\s_])[\s_]*\(?track[\s_]*\d.*/is;

/**
 * Returns the main member of an archive: the largest member that, by its name, is not a sheet, text
 * or picture. If all members are such files, returns the largest member. If several members are
 * equally large, returns the first. Returns null if there are no members.
 */
export function mainMember<Member extends Pick<ArchiveMember, 'name' | 'size'>>(
  members: readonly Member[],
): Member | null {
  let main: Member | null = null;
  for (const member of imagesAmong(members)) {
    if (main === null || member.size > main.size) main = member;
  }
  return main;
}

/**
 * Returns true if all images among the members belong to one disc. The images belong to one disc in
 * these cases:
 * - There is at most one image.
 * - There is exactly one sheet.
 * - There is no sheet, and the names of the images differ only in the track number.
 */
export function belongToOneDisc(members: readonly Pick<ArchiveMember, 'name' | 'size'>[]): boolean {
  const images = imagesAmong(members);
  if (images.length <= 1) return true;
  const sheets = members.filter(({ name }) => isSheetName(name)).length;
  if (sheets > 0) return sheets === 1;
  return new Set(images.map(({ name }) => name.replace(track, ''))).size === 1;
}

/**
 * Returns the members that are not sheets, texts or pictures. If all members are such files,
 * returns all members.
 */
export function imagesAmong<Member extends Pick<ArchiveMember, 'name' | 'size'>>(
  members: readonly Member[],
): readonly Member[] {
  const images = members.filter(({ name }) => !accompanyingFile.test(name));
  return images.length > 0 ? images : members;
}

/**
 * Returns true if a file is a sheet by its name. A sheet lists the tracks in the images next to it.
 */
export function isSheetName(name: string): boolean {
  return sheet.test(name);
}
