import type { ArchiveMember } from './identity.ts';

/** Matches names of files that accompany images in archives: sheets, checksums, texts, pictures. */
const beside =
  /\.(?:cue|gdi|ccd|sub|mds|toc|m3u8?|txt|nfo|diz|md|pdf|html?|url|xml|json|dat|sfv|md5|sha1|sha256|jpe?g|png|gif|webp|ico|inf|ini)$/i;
const sheet = /\.(?:cue|gdi|ccd|mds|toc)$/i;
/**
 * Matches a name from its track number on. The lookbehind lets it start only at the start of a run
 * of blanks.
 */
const track = /(?<![\s_])[\s_]*\(?track[\s_]*\d.*/is;

/**
 * Returns the main member: the largest one whose name is not that of a sheet, text or picture; the
 * first of equal ones. If all are such files, the largest of all. Null if there is no member.
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
 * Whether all images among the members are one disc: a single image, the tracks of one sheet, or
 * tracks by their names.
 */
export function holdOneDisc(members: readonly Pick<ArchiveMember, 'name' | 'size'>[]): boolean {
  const images = imagesAmong(members);
  if (images.length <= 1) return true;
  const sheets = members.filter(({ name }) => isSheetName(name)).length;
  if (sheets > 0) return sheets === 1;
  return new Set(images.map(({ name }) => name.replace(track, ''))).size === 1;
}

/** Returns the members that are not sheets, texts or pictures; all members if all of them are. */
export function imagesAmong<Member extends Pick<ArchiveMember, 'name' | 'size'>>(
  members: readonly Member[],
): readonly Member[] {
  const images = members.filter(({ name }) => !beside.test(name));
  return images.length > 0 ? images : members;
}

/** Whether a file of that name says which tracks the images next to it hold. */
export function isSheetName(name: string): boolean {
  return sheet.test(name);
}
