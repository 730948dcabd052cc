import type { TrackedHashes } from '../core/library/library-file.ts';
import { holdOneDisc, mainMember } from '../core/library/main-member.ts';
import { refused } from '../core/shared/errors.ts';
import { type Archive, takeDisc } from './containers/archives/read-archive.ts';
import { unpackMembers } from './containers/archives/unpack-members.ts';
import { newDraft } from './draft.ts';
import { type HashedMember, type Hashing, hashMember } from './hash-member.ts';
import type { ImageFile } from './image-file.ts';

/**
 * Hashes every file in an archive, in one pass, and reads what discs inside say they are. The hashes returned are those of the
 * main member. Throws a refused `CatalogError` when it is damaged or cannot be unpacked, and what reading it throws.
 */
export async function hashArchive(
  path: string,
  file: ImageFile,
  archive: Archive,
  hashing: Hashing,
): Promise<TrackedHashes> {
  const all: HashedMember[] = [];
  for await (const member of unpackMembers(path, file, archive)) {
    all.push(await hashMember(member, hashing));
  }
  const members = all.map(({ member }) => member);
  const main = all.find(({ member }) => member === mainMember(members));
  if (!main) throw refused('it holds no file');
  const draft = newDraft();
  const isOne = holdOneDisc(members);
  const discs = all.filter(({ inner }) => inner.disc !== null);
  const [disc] = discs.includes(main) ? [main] : discs;
  const areSeveral = discs.length > 1 && (!isOne || new Set(discs.map(discKey)).size > 1);
  if (areSeveral) draft.evidence['discs inside'] = discs.slice(0, 20).map(discKey).join(', ');
  else if (disc) takeDisc(draft, disc.inner);
  draft.problem = (disc ?? main).inner.problem;
  const { serial, edition, title, evidence, problem } = draft;
  const imageSize = isOne && !areSeveral ? main.hashes.size : null;
  const inside = {
    members,
    imageSize,
    disc: draft.disc,
    serial,
    edition,
    title,
    evidence,
    problem,
  };
  return { ...main.hashes, inside };
}

const discKey = ({ inner: { disc, serial, edition } }: HashedMember) =>
  [disc, serial, edition.disc].filter((part) => part !== null).join(' ');
