import type { ArchiveFormat } from '../../core/library/containers.ts';
import type { ArchiveMember } from '../../core/library/identity.ts';
import type { TrackedHashes } from '../../core/library/library-file.ts';
import { belongToOneDisc, imagesAmong, mainMember } from '../../core/library/main-member.ts';
import { refused } from '../../core/shared/errors.ts';
import { readZipEntry, unreadableReason } from '../../zip/read-entry.ts';
import { zipEntries } from '../../zip/zip-entries.ts';
import { copyDiscFields } from '../containers/archives/read-archive.ts';
import { unpackMembers } from '../containers/archives/unpack-members.ts';
import { MAX_SHEET_BYTES } from '../containers/sheets/sheet.ts';
import { newDraft } from '../draft.ts';
import type { ImageFile } from '../image-file.ts';
import { InnerSheets, MAX_SHEETS } from '../inner-sheets.ts';
import { pullImage } from '../unpack/stream-image.ts';
import { type HashedMember, type Hashing, hashMember, plainImages } from './hash-member.ts';

/**
 * Hashes every file in an archive in one pass, and identifies the discs inside. The returned hashes
 * are those of the main member. If the archive contains only one image, a sheet after the image may
 * divide the image into tracks. In this case, the image is unpacked and hashed a second time.
 * Throws a `CatalogError` of kind `refused` if the archive is damaged or cannot be unpacked. I/O
 * errors of the archive are rethrown.
 */
export async function hashArchive(
  path: string,
  file: ImageFile,
  archive: ArchiveFormat,
  hashing: Hashing,
): Promise<TrackedHashes> {
  const sheets = new InnerSheets();
  if (archive === 'zip') await addSheetsOfZip(file, sheets);
  const members: ArchiveMember[] = [];
  const discs: HashedMember[] = [];
  let main: HashedMember | null = null;
  for await (const member of unpackMembers(path, file, archive)) {
    const hashed = await hashMember(member, hashing, sheets);
    // Retain the complete result only of discs and of the main member. For other members, retain
    // only the record that is stored, because an archive may have thousands of members.
    members.push(hashed.member);
    if (hashed.inner.disc !== null) discs.push(hashed);
    main = main === null ? hashed : mainOf(main, hashed);
  }
  if (main === null) throw refused('it holds no file');
  const isOne = belongToOneDisc(members);
  const [disc] = discs.includes(main) ? [main] : discs;
  const areSeveral = discs.length > 1 && (!isOne || new Set(discs.map(discKey)).size > 1);
  const draft = newDraft();
  draft.imageSize = isOne && !areSeveral ? main.hashes.size : null;
  if (areSeveral) draft.evidence['discs inside'] = discs.slice(0, 20).map(discKey).join(', ');
  else if (disc) copyDiscFields(draft, disc.inner);
  draft.problem = (disc ?? main).inner.problem;
  const { imageSize, serial, edition, title, statedImage, evidence, problem } = draft;
  const { tracks: _, ...hashes } = main.hashes;
  const again = () => unpackMembers(path, file, archive);
  const inside = {
    members,
    tracks: imagesAmong(members).length === 1 ? await tracksOf(main, again, hashing, sheets) : [],
    imageSize,
    disc: draft.disc,
    serial,
    edition,
    title,
    ...(statedImage && { statedImage }),
    evidence,
    problem,
  };
  return { ...hashes, inside };
}

/** Returns the one of two members that `mainMember` selects. */
function mainOf(before: HashedMember, next: HashedMember): HashedMember {
  return mainMember([before.member, next.member]) === next.member ? next : before;
}

/** Reads the sheets in a zip before any image is hashed, even if they come after the images. */
async function addSheetsOfZip(file: ImageFile, sheets: InnerSheets): Promise<void> {
  let left = MAX_SHEETS;
  for await (const entry of zipEntries(file)) {
    if (left === 0) return;
    const isSheet = /\.(?:cue|ccd)$/i.test(entry.name) && entry.size <= MAX_SHEET_BYTES;
    if (!isSheet || unreadableReason(entry) !== null) continue;
    left -= 1;
    const image = pullImage(readZipEntry(file, entry), entry.size);
    await sheets.add(entry.name, image);
    await image.close();
  }
}

/**
 * Returns the hashed tracks of the main member. If the sheet that divides the member was read after
 * the member, unpacks and hashes the member again.
 */
async function tracksOf(
  { member, hashes, inner }: HashedMember,
  unpackAgain: () => ReturnType<typeof unpackMembers>,
  hashing: Hashing,
  sheets: InnerSheets,
) {
  if (hashes.tracks !== undefined) return hashes.tracks;
  const { name, size } = member;
  const isDivided = plainImages.includes(inner.container) && sheets.tracksOf(name, size).length > 0;
  if (!isDivided) return [];
  for await (const one of unpackAgain()) {
    if (one.name === name) return (await hashMember(one, hashing, sheets)).hashes.tracks ?? [];
    for await (const _piece of one.pieces); // skip this member
  }
  return [];
}

const discKey = ({ inner: { disc, serial, edition } }: HashedMember) =>
  [disc, serial, edition.disc].filter((part) => part !== null).join(' ');
