import type { Candidate } from './candidate.ts';
import type { Method } from './library-file.ts';
import { hashPointers, type Looked } from './looked-files.ts';
import { pointedAt } from './match.ts';
import { isSheetName, narrow, type TrackBeside } from './narrow.ts';
import { fits } from './platforms.ts';

/** What is known of a disc whose tracks lie in one file or in several. */
export interface Disc {
  /** The track, or the file, that tells what the disc is. */
  readonly lead: Looked;
  /** Everything of it that was looked up, the lead too. */
  readonly parts: readonly Looked[];
  readonly beside: readonly TrackBeside[];
  /** Files whose names are also the disc's: its sheet. */
  readonly named: readonly Looked[];
}

/** The releases that a disc is left to: one when it is decided. */
export interface DiscVerdict {
  readonly left: readonly Candidate[];
  readonly method: Method;
  /** What decided; null when nothing did. */
  readonly by: Looked | null;
}

/**
 * The release that has most of a disc's tracks, by their hashes; where none is known by its hash, the one that the disc's
 * serial points at, else the one of its names. A release that has another serial than the disc states counts only when
 * the track that states it has its hash. What several share is narrowed as for a file; of releases with the same tracks
 * the one with the lowest id is taken.
 */
export function matchDisc(disc: Disc): DiscVerdict | null {
  return byHashes(disc) ?? bySerial(disc) ?? byNames(disc);
}

function byHashes(disc: Disc): DiscVerdict | null {
  const { lead, parts } = disc;
  const isPossible = possibleFor(lead);
  const pointers = parts.flatMap((part) => {
    const found = hashPointers(part);
    const candidates = found?.candidates.filter(isPossible) ?? [];
    return found && candidates.length > 0 ? [{ part, method: found.method, candidates }] : [];
  });
  const best = withMostVotes(pointers.map(({ candidates }) => candidates));
  if (best.length === 0) return null;
  const left = ofSameTracks(narrowed(best, disc));
  const has = ({ candidates }: { candidates: readonly Candidate[] }) =>
    candidates.some(({ releaseId }) => releaseId === left[0]?.releaseId);
  const by = pointers.find((one) => one.part === lead && has(one)) ?? pointers.find(has);
  return { left, method: by?.method ?? 'sha1', by: by?.part ?? null };
}

function bySerial(disc: Disc): DiscVerdict | null {
  const { file, lookUp, evidence } = disc.lead;
  const left = narrowed(pointedAt('serial', evidence, lookUp, file), disc);
  return left.length === 0 ? null : { left, method: 'serial', by: disc.lead };
}

function byNames(disc: Disc): DiscVerdict | null {
  const parts = [...disc.parts, ...disc.named];
  const pointers = parts.map((part) => {
    const { file } = disc.lead;
    return { part, candidates: pointedAt('name', part.evidence, part.lookUp, file) };
  });
  const left = narrowed(withMostVotes(pointers.map(({ candidates }) => candidates)), disc);
  const [first] = left;
  if (first === undefined) return null;
  const has = (candidates: readonly Candidate[]) =>
    candidates.some(({ releaseId }) => releaseId === first.releaseId);
  const by = pointers.find(({ candidates }) => has(candidates))?.part ?? null;
  return { left, method: 'name', by };
}

/** What the lead says of itself excludes releases that only other tracks have. */
function possibleFor(lead: Looked): (candidate: Candidate) => boolean {
  const { disc, serial } = lead.file.identity;
  const idsOf = (candidates: readonly Candidate[] = []) =>
    new Set(candidates.map(({ releaseId }) => releaseId));
  const own = idsOf(hashPointers(lead)?.candidates);
  const listed = idsOf(pointedAt('serial', lead.evidence, lead.lookUp, lead.file));
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

function narrowed(candidates: readonly Candidate[], { lead, named, beside }: Disc): Candidate[] {
  const names = [...lead.lookUp.names, ...named.flatMap(({ lookUp }) => lookUp.names)];
  const edition = {
    ...lead.file.identity.edition,
    disc:
      lead.file.identity.edition.disc ??
      named.find(isOfLead(lead))?.file.identity.edition.disc ??
      null,
  };
  return narrow(candidates, { ...lead.lookUp, names }, { edition }, beside);
}

/** A sheet may say which disc of a set its track is. */
const isOfLead = (lead: Looked) => (sheet: Looked) =>
  sheet.file.identity.disc === lead.file.identity.disc &&
  sheet.file.identity.serial === lead.file.identity.serial;

/** Of releases with the same tracks the first, by id. */
function ofSameTracks(left: readonly Candidate[]): readonly Candidate[] {
  const tracks = ({ roms }: Candidate) =>
    roms
      .filter(({ name }) => !isSheetName(name))
      .map(({ sha1, md5, crc32, size }) => sha1 || md5 || `${crc32}:${size}`)
      .sort()
      .join();
  const [first] = left;
  return first && left.every((one) => tracks(one) === tracks(first)) ? [first] : left;
}
