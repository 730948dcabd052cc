import type { ArchiveFormat } from '../../../core/library/containers.ts';
import { belongToOneDisc, mainMember } from '../../../core/library/main-member.ts';
import type { Draft } from '../../draft.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import { LARGE_DICTIONARY } from './dictionary.ts';
import { listGz } from './gz.ts';
import { type MemberList, newList } from './members.ts';
import { listRar } from './rar/rar.ts';
import { listSevenZip } from './seven-zip/seven-zip.ts';
import { listTar } from './tar.ts';
import { listXz } from './xz.ts';
import { listZip } from './zip.ts';
import { listZst } from './zst.ts';

type ListMembers = (file: ImageBytes, list: MemberList) => Promise<void>;

/** For each kind of archive, the function that reads the directory. */
export const memberListers: Readonly<Record<ArchiveFormat, ListMembers>> = {
  zip: listZip,
  '7z': listSevenZip,
  rar: listRar,
  tar: listTar,
  gz: listGz,
  xz: listXz,
  zst: listZst,
};

export function isArchive(container: string): container is ArchiveFormat {
  return container in memberListers;
}

/**
 * Reads an archive's directory into the draft. If the archive contains exactly one disc, also
 * identifies the disc from the main member, unless this would need much unpacking. Throws a
 * `CatalogError` of kind `refused` if the archive is damaged. After such an error, the draft
 * contains what was found before the damage.
 */
export async function readArchive(
  file: ImageBytes,
  draft: Draft,
  readInner: (image: ImageBytes) => Promise<Draft>,
  beforeMany?: () => Promise<void>,
): Promise<void> {
  if (!isArchive(draft.container)) return;
  const list = newList(beforeMany);
  try {
    await memberListers[draft.container](file, list);
  } finally {
    draft.members = list.members.map(({ name, size, crc32 }) => {
      return { name, size, crc32, hashes: null };
    });
    draft.problem = list.problem;
    if (list.dictionary > LARGE_DICTIONARY) draft.dictionary = list.dictionary;
  }
  const main = mainMember(list.members);
  if (main === null || !belongToOneDisc(list.members)) return;
  draft.imageSize = main.size;
  const start = main.openStart && (await main.openStart());
  if (start === null) return;
  try {
    const inner = await readInner(start);
    copyDiscFields(draft, inner);
    if (!start.isOutOfReach) draft.problem ??= inner.problem;
  } finally {
    await start.close();
  }
}

/**
 * Copies the fields that identify a disc from `inner`, the draft of an archive's member, to
 * `draft`, the draft of the archive.
 */
export function copyDiscFields(draft: Draft, inner: Draft): void {
  const { disc, serial, edition, title, statedImage, evidence, unrestorable } = inner;
  Object.assign(draft, { disc, serial, edition, title }, statedImage && { statedImage });
  Object.assign(draft.evidence, evidence, unrestorable && { 'not restorable': unrestorable });
  if (unrestorable !== undefined) draft.imageSize = statedImage?.size ?? null;
}
