import { forEachInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import { fitsPlatform } from '../discs.ts';
import { type Method, methods } from '../library-file.ts';
import type { Candidate, CandidateRom } from '../match/candidate.ts';
import { type LookedUpPart, matchByHash } from '../match/looked-up-files.ts';
import { candidatesBy, withoutExcluded } from '../match/match.ts';
import { type ComparedTrack, isSheetOrPlaylist, narrow } from '../match/narrow.ts';
import { type MatchRule, type Reason, Reasons } from '../match/reasons.ts';

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
  /** The rules that decided, in the order in which they were applied. */
  readonly why: readonly Reason[];
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
  const reasons = new Reasons();
  const verdict =
    (await byHashes(disc, slices, reasons)) ??
    (await bySerial(disc, slices, reasons)) ??
    (await byNames(disc, slices, reasons));
  if (verdict === null) return null;
  return { ...verdict, why: reasons.list(verdict.candidates.map(({ releaseId }) => releaseId)) };
}

type Decision = Omit<DiscVerdict, 'why'>;

async function byHashes(disc: Disc, slices: Slices, reasons: Reasons): Promise<Decision | null> {
  const { lead, parts } = disc;
  const against = await ruleAgainstFor(lead, slices);
  const pointers: { part: LookedUpPart; method: Method; candidates: readonly Candidate[] }[] = [];
  for (const part of parts) {
    const found = await matchByHash(part, slices);
    if (found !== null) pointers.push({ part, ...found });
  }
  const all = new Map<number, Candidate>();
  for (const method of methods) {
    const pointed = pointers.flatMap((one) => (one.method === method ? one.candidates : []));
    reasons.addMatches(method, pointed);
    for (const candidate of pointed) all.set(candidate.releaseId, candidate);
  }
  const possible = await withoutExcluded([...all.values()], against, slices, reasons);
  const ids = new Set(possible.map(({ releaseId }) => releaseId));
  const best = withMostVotes(
    pointers.map(({ candidates }) => candidates.filter(({ releaseId }) => ids.has(releaseId))),
  );
  if (best.length === 0) return null;
  reasons.addChoice('tracks', possible, best);
  const several = await narrowed(best, disc, slices, reasons);
  const left = await ofSameTracks(several, slices);
  reasons.addChoice('same-content', several, left);
  const has = ({ candidates }: { candidates: readonly Candidate[] }) =>
    candidates.some(({ releaseId }) => releaseId === left[0]?.releaseId);
  const by = pointers.find((one) => one.part === lead && has(one)) ?? pointers.find(has);
  return { candidates: left, method: by?.method ?? 'sha1', decidingPart: by?.part ?? null };
}

async function bySerial(disc: Disc, slices: Slices, reasons: Reasons): Promise<Decision | null> {
  const pointed = await candidatesBy('serial', disc.lead, disc.lead, slices, reasons);
  const candidates = await narrowed(pointed, disc, slices, reasons);
  return candidates.length === 0 ? null : { candidates, method: 'serial', decidingPart: disc.lead };
}

async function byNames(disc: Disc, slices: Slices, reasons: Reasons): Promise<Decision | null> {
  const { file } = disc.lead;
  const pointers: { part: LookedUpPart; candidates: readonly Candidate[] }[] = [];
  for (const part of [...disc.parts, ...disc.sheets]) {
    const { lookupKeys } = part;
    pointers.push({
      part,
      candidates: await candidatesBy('name', part, { lookupKeys, file }, slices),
    });
  }
  const pointed = new Map(
    pointers.flatMap(({ candidates }) => candidates.map((one) => [one.releaseId, one] as const)),
  );
  const best = withMostVotes(pointers.map(({ candidates }) => candidates));
  reasons.addMatches('name', [...pointed.values()]);
  reasons.addChoice('file-name', [...pointed.values()], best);
  const left = await narrowed(best, disc, slices, reasons);
  const [first] = left;
  if (first === undefined) return null;
  const has = (candidates: readonly Candidate[]) =>
    candidates.some(({ releaseId }) => releaseId === first.releaseId);
  const decidingPart = pointers.find(({ candidates }) => has(candidates))?.part ?? null;
  return { candidates: left, method: 'name', decidingPart };
}

/**
 * Returns a function that returns the rule that excludes a release for the lead, or null if no rule
 * does. A release that the lead matches by hash is not excluded. The platform and the serial of any
 * other release must not contradict the lead.
 */
async function ruleAgainstFor(
  lead: LookedUpPart,
  slices: Slices,
): Promise<(candidate: Candidate) => MatchRule | null> {
  const { disc, serial } = lead.file.identity;
  const idsOf = (candidates: readonly Candidate[] = []) =>
    new Set(candidates.map(({ releaseId }) => releaseId));
  const own = idsOf((await matchByHash(lead, slices))?.candidates);
  const listed = idsOf(await candidatesBy('serial', lead, lead, slices));
  return (candidate) => {
    if (own.has(candidate.releaseId)) return null;
    if (!fitsPlatform(disc, candidate.platformKey)) return 'platform';
    const hasSerial =
      serial === null ||
      listed.has(candidate.releaseId) ||
      (listed.size === 0 && candidate.serials.length === 0);
    return hasSerial ? null : 'own-serial';
  };
}

function withMostVotes(votes: readonly (readonly Candidate[])[]): Candidate[] {
  const byId = new Map<number, { candidate: Candidate; votes: number }>();
  for (const candidate of votes.flat()) {
    const known = byId.get(candidate.releaseId);
    byId.set(candidate.releaseId, { candidate, votes: (known?.votes ?? 0) + 1 });
  }
  const max = [...byId.values()].reduce((sum, one) => Math.max(sum, one.votes), 0);
  return [...byId.values()].flatMap((one) => (one.votes === max ? [one.candidate] : []));
}

function narrowed(
  candidates: readonly Candidate[],
  { lead, sheets, tracks }: Disc,
  slices: Slices,
  reasons: Reasons,
): Promise<Candidate[]> {
  const names = [...lead.lookupKeys.names, ...sheets.flatMap(({ lookupKeys }) => lookupKeys.names)];
  const edition = {
    ...lead.file.identity.edition,
    disc:
      lead.file.identity.edition.disc ??
      sheets.find(isOfLead(lead))?.file.identity.edition.disc ??
      null,
  };
  const lookupKeys = { ...lead.lookupKeys, names };
  return narrow(candidates, lookupKeys, { edition }, { tracks, slices, reasons });
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
