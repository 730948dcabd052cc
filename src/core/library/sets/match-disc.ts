import { forEachInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import { fitsPlatform } from '../discs.ts';
import type { Method } from '../library-file.ts';
import { type ComparedTrack, isSheetOrPlaylist, narrow } from '../match/break-ties.ts';
import type { Candidate, CandidateRom } from '../match/candidate.ts';
import { type LookedUpPart, matchByHash } from '../match/looked-up-files.ts';
import { candidatesBy } from '../match/match.ts';

/**
 * The known parts of a disc. The tracks of the disc may be stored in one file or in several files.
 */
export interface Disc {
  /** The track or file that identifies the disc. */
  readonly lead: LookedUpPart;
  /** All parts of the disc that were looked up, including the lead. */
  readonly parts: readonly LookedUpPart[];
  readonly tracks: readonly ComparedTrack[];
  /**
   * The sheet of the disc, or empty if there is no sheet. The names of the sheet also count as
   * names of the disc.
   */
  readonly sheets: readonly LookedUpPart[];
}

/** The releases that remain for a disc. The disc is matched only if exactly one release remains. */
export interface DiscVerdict {
  readonly candidates: readonly Candidate[];
  readonly method: Method;
  /** The part of the disc that provided the deciding evidence. Null if no single part decided. */
  readonly decidingPart: LookedUpPart | null;
}

/**
 * Matches a disc by the hashes of its tracks, and returns the release that most tracks match. If no
 * track matches by hash, the serial of the disc decides. If the serial does not match either, the
 * names of the files decide.
 *
 * A release whose serial differs from the disc's is excluded, unless the track with the serial
 * matches the release by hash. If several releases share the evidence, `narrow` compares everything
 * else that is known. If the remaining releases have the same tracks, only the release with the
 * lowest id is returned. Returns null if nothing matches.
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
  const pointers: { part: LookedUpPart; method: Method; candidates: readonly Candidate[] }[] = [];
  for (const part of parts) {
    const found = await matchByHash(part, slices);
    const candidates = found?.candidates.filter(isPossible) ?? [];
    if (found && candidates.length > 0) pointers.push({ part, method: found.method, candidates });
  }
  const best = withMostVotes(pointers.map(({ candidates }) => candidates));
  if (best.length === 0) return null;
  const left = await ofSameTracks(await narrowed(best, disc, slices), slices);
  const has = ({ candidates }: { candidates: readonly Candidate[] }) =>
    candidates.some(({ releaseId }) => releaseId === left[0]?.releaseId);
  const by = pointers.find((one) => one.part === lead && has(one)) ?? pointers.find(has);
  return { candidates: left, method: by?.method ?? 'sha1', decidingPart: by?.part ?? null };
}

async function bySerial(disc: Disc, slices: Slices): Promise<DiscVerdict | null> {
  const pointed = await candidatesBy('serial', disc.lead, disc.lead, slices);
  const candidates = await narrowed(pointed, disc, slices);
  return candidates.length === 0 ? null : { candidates, method: 'serial', decidingPart: disc.lead };
}

async function byNames(disc: Disc, slices: Slices): Promise<DiscVerdict | null> {
  const { file } = disc.lead;
  const pointers: { part: LookedUpPart; candidates: readonly Candidate[] }[] = [];
  for (const part of [...disc.parts, ...disc.sheets]) {
    const { lookUp } = part;
    pointers.push({ part, candidates: await candidatesBy('name', part, { lookUp, file }, slices) });
  }
  const best = withMostVotes(pointers.map(({ candidates }) => candidates));
  const left = await narrowed(best, disc, slices);
  const [first] = left;
  if (first === undefined) return null;
  const has = (candidates: readonly Candidate[]) =>
    candidates.some(({ releaseId }) => releaseId === first.releaseId);
  const decidingPart = pointers.find(({ candidates }) => has(candidates))?.part ?? null;
  return { candidates: left, method: 'name', decidingPart };
}

/**
 * Returns a function that tests whether a release is possible for the lead. A release is possible
 * if the lead matches it by hash. Otherwise, the platform and the serial of the release must not
 * contradict the lead.
 */
async function possibleFor(
  lead: LookedUpPart,
  slices: Slices,
): Promise<(candidate: Candidate) => boolean> {
  const { disc, serial } = lead.file.identity;
  const idsOf = (candidates: readonly Candidate[] = []) =>
    new Set(candidates.map(({ releaseId }) => releaseId));
  const own = idsOf((await matchByHash(lead, slices))?.candidates);
  const listed = idsOf(await candidatesBy('serial', lead, lead, slices));
  return (candidate) =>
    own.has(candidate.releaseId) ||
    (fitsPlatform(disc, candidate.platformKey) &&
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
  { lead, sheets, tracks }: Disc,
  slices: Slices,
): Promise<Candidate[]> {
  const names = [...lead.lookUp.names, ...sheets.flatMap(({ lookUp }) => lookUp.names)];
  const edition = {
    ...lead.file.identity.edition,
    disc:
      lead.file.identity.edition.disc ??
      sheets.find(isOfLead(lead))?.file.identity.edition.disc ??
      null,
  };
  return narrow(candidates, { ...lead.lookUp, names }, { edition }, { beside: tracks, slices });
}

/**
 * Returns true if a sheet has the same kind of disc and serial as the lead. The sheet may then
 * state the number of the disc within its set.
 */
const isOfLead = (lead: LookedUpPart) => (sheet: LookedUpPart) =>
  sheet.file.identity.disc === lead.file.identity.disc &&
  sheet.file.identity.serial === lead.file.identity.serial;

/**
 * Returns only the first release if all releases have the same tracks. Otherwise returns all
 * releases.
 */
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

/** Returns, for each track of a release, how many times the release contains the track. */
async function tracksOf({ roms }: Candidate, slices: Slices): Promise<Map<string, number>> {
  const tracks = new Map<string, number>();
  const count = ({ name, sha1, md5, crc32, size }: CandidateRom) => {
    if (isSheetOrPlaylist(name)) return;
    const track = sha1 || md5 || `${crc32}:${size}`;
    tracks.set(track, (tracks.get(track) ?? 0) + 1);
  };
  await forEachInSlices(roms, count, slices);
  return tracks;
}
