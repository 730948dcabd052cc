import { forEachInSlices, type Slices } from '../shared/slices.ts';
import type { Candidate, CandidateRom } from './candidate.ts';
import type { Method } from './library-file.ts';
import { hashPointers, type Looked } from './looked-files.ts';
import { pointedAt } from './match.ts';
import { isSheetName, narrow, type TrackBeside } from './narrow.ts';
import { fits } from './platforms.ts';

/**
 * The parts of a disc that are known. The disc's tracks may be stored in one file or in several.
 */
export interface Disc {
  /** The track or file that identifies the disc. */
  readonly lead: Looked;
  /** All looked-up parts of the disc, including the lead. */
  readonly parts: readonly Looked[];
  readonly beside: readonly TrackBeside[];
  /** The disc's sheet, if there is one. The sheet's names are also used as names of the disc. */
  readonly named: readonly Looked[];
}

/** The releases that remain for a disc. The disc is matched only if exactly one remains. */
export interface DiscVerdict {
  readonly left: readonly Candidate[];
  readonly method: Method;
  /** The part whose evidence decided; null if no single part decided. */
  readonly by: Looked | null;
}

/**
 * Returns the release that most tracks of a disc match by hash. If no track matches by hash, the
 * disc's serial decides, else the names of its files. A release with a serial other than the disc's
 * is excluded, unless the track that states the serial matches this release by hash. Releases that
 * share evidence are narrowed in the same way as for a file. If the remaining releases have the
 * same tracks, the one with the lowest id is returned. Returns null if nothing matches.
 */
export async function matchDisc(disc: Disc, slices: Slices): Promise<DiscVerdict | null> {
  return (
    (await byHashes(disc, slices)) ??
    (await bySerial(disc, slices)) ??
    (await byNames(disc, slices))
  );
}

async function byHashes(disc: Disc, slices: Slices): Promise<DiscVerdict | null> {
  const { lead, parts } = disc;
  const isPossible = await possibleFor(lead, slices);
  const pointers: { part: Looked; method: Method; candidates: readonly Candidate[] }[] = [];
  for (const part of parts) {
    const found = await hashPointers(part, slices);
    const candidates = found?.candidates.filter(isPossible) ?? [];
    if (found && candidates.length > 0) pointers.push({ part, method: found.method, candidates });
  }
  const best = withMostVotes(pointers.map(({ candidates }) => candidates));
  if (best.length === 0) return null;
  const left = await ofSameTracks(await narrowed(best, disc, slices), slices);
  const has = ({ candidates }: { candidates: readonly Candidate[] }) =>
    candidates.some(({ releaseId }) => releaseId === left[0]?.releaseId);
  const by = pointers.find((one) => one.part === lead && has(one)) ?? pointers.find(has);
  return { left, method: by?.method ?? 'sha1', by: by?.part ?? null };
}

async function bySerial(disc: Disc, slices: Slices): Promise<DiscVerdict | null> {
  const pointed = await pointedAt('serial', disc.lead, disc.lead, slices);
  const left = await narrowed(pointed, disc, slices);
  return left.length === 0 ? null : { left, method: 'serial', by: disc.lead };
}

async function byNames(disc: Disc, slices: Slices): Promise<DiscVerdict | null> {
  const { file } = disc.lead;
  const pointers: { part: Looked; candidates: readonly Candidate[] }[] = [];
  for (const part of [...disc.parts, ...disc.named]) {
    const { lookUp } = part;
    pointers.push({ part, candidates: await pointedAt('name', part, { lookUp, file }, slices) });
  }
  const best = withMostVotes(pointers.map(({ candidates }) => candidates));
  const left = await narrowed(best, disc, slices);
  const [first] = left;
  if (first === undefined) return null;
  const has = (candidates: readonly Candidate[]) =>
    candidates.some(({ releaseId }) => releaseId === first.releaseId);
  const by = pointers.find(({ candidates }) => has(candidates))?.part ?? null;
  return { left, method: 'name', by };
}

/**
 * Returns a test for releases. It rejects a release that the lead does not match by hash and whose
 * platform or serial contradicts the lead.
 */
async function possibleFor(
  lead: Looked,
  slices: Slices,
): Promise<(candidate: Candidate) => boolean> {
  const { disc, serial } = lead.file.identity;
  const idsOf = (candidates: readonly Candidate[] = []) =>
    new Set(candidates.map(({ releaseId }) => releaseId));
  const own = idsOf((await hashPointers(lead, slices))?.candidates);
  const listed = idsOf(await pointedAt('serial', lead, lead, slices));
  return (candidate) =>
    own.has(candidate.releaseId) ||
    (fits(disc, candidate.platformKey) &&
      (serial === null ||
        listed.has(candidate.releaseId) ||
        (listed.size === 0 && candidate.serials.length === 0)));
}

function withMostVotes(votes: readonly (readonly Candidate[])[]): Candidate[] {
  const byId = new Map<number, { candidate: Candidate; votes: number }>();
  for (const candidate of votes.flat()) {
    const known = byId.get(candidate.releaseId);
    byId.set(candidate.releaseId, { candidate, votes: (known?.votes ?? 0) + 1 });
  }
  const most = [...byId.values()].reduce((sum, one) => Math.max(sum, one.votes), 0);
  return [...byId.values()].flatMap((one) => (one.votes === most ? [one.candidate] : []));
}

function narrowed(
  candidates: readonly Candidate[],
  { lead, named, beside }: Disc,
  slices: Slices,
): Promise<Candidate[]> {
  const names = [...lead.lookUp.names, ...named.flatMap(({ lookUp }) => lookUp.names)];
  const edition = {
    ...lead.file.identity.edition,
    disc:
      lead.file.identity.edition.disc ??
      named.find(isOfLead(lead))?.file.identity.edition.disc ??
      null,
  };
  return narrow(candidates, { ...lead.lookUp, names }, { edition }, { beside, slices });
}

/** Whether a sheet belongs to the lead. Such a sheet may state which disc of a set this is. */
const isOfLead = (lead: Looked) => (sheet: Looked) =>
  sheet.file.identity.disc === lead.file.identity.disc &&
  sheet.file.identity.serial === lead.file.identity.serial;

/** Returns only the first release if all have the same tracks; else returns all of them. */
async function ofSameTracks(
  left: readonly Candidate[],
  slices: Slices,
): Promise<readonly Candidate[]> {
  const [first, ...others] = left;
  if (first === undefined) return left;
  const wanted = others.length === 0 ? new Map() : await tracksOf(first, slices);
  for (const other of others) {
    const tracks = await tracksOf(other, slices);
    if (tracks.size !== wanted.size) return left;
    for (const [track, count] of tracks) if (wanted.get(track) !== count) return left;
  }
  return [first];
}

/** Returns how many times a release contains each track. */
async function tracksOf({ roms }: Candidate, slices: Slices): Promise<Map<string, number>> {
  const tracks = new Map<string, number>();
  const count = ({ name, sha1, md5, crc32, size }: CandidateRom) => {
    if (isSheetName(name)) return;
    const track = sha1 || md5 || `${crc32}:${size}`;
    tracks.set(track, (tracks.get(track) ?? 0) + 1);
  };
  await forEachInSlices(roms, count, slices);
  return tracks;
}
