import { forEachInSlices, Slices } from '../../shared/concurrency/slices.ts';
import { isFirstPart } from '../container-kinds.ts';
import type { LookedUpPart } from '../match/looked-up-files.ts';
import type { Verdict } from '../match/match.ts';
import { matchAlone } from '../match/match-alone.ts';
import { comparedTracksOf } from '../match/narrow.ts';
import { type Disc, matchDisc } from './match-disc.ts';
import { matchSheet, matchTrack, type SetMember, type SetVerdict } from './match-member.ts';
import { discsOf, type SetDisc } from './set-discs.ts';

/** Maximum number of reasons of a file that several sheets name. */
const maxReasons = 50;

/**
 * Matches the files of a set, and returns the results by path:
 * - All tracks of a disc get the release of the disc. A track is matched alone if its own hash or
 *   serial matches only other releases.
 * - The sheet of a disc gets the release of the disc.
 * - A playlist gets the release of its discs.
 * - A release that an editor chose for a file applies only to that file.
 */
export async function matchSet(members: readonly SetMember[]): Promise<Map<string, SetVerdict>> {
  const { discs, playlists, filesIn } = await discsOf(members);
  const verdicts = new Map<string, SetVerdict>();
  const ofTracks = new Map<SetMember, SetVerdict[]>();
  const slices = new Slices();
  for (const disc of discs) {
    if (slices.isOver) await slices.next();
    const { sheet } = disc;
    if (sheet && isFirstPart(sheet.file)) {
      for (const [member, verdict] of await matchParts(sheet, disc.tracks, slices)) {
        verdicts.set(member.file.path, verdict);
      }
      continue;
    }
    const knownDisc = discOf(disc);
    const { lead } = knownDisc;
    const verdict = await matchDisc(knownDisc, slices);
    if (sheet !== null) verdicts.set(sheet.file.path, await matchSheet(sheet, verdict, slices));
    for (const track of disc.tracks) {
      const known = ofTracks.get(track);
      const own = await matchTrack(track, { lead, verdict }, slices);
      if (known === undefined) ofTracks.set(track, [own]);
      else known.push(own);
    }
  }
  await forEachInSlices(ofTracks, ([{ file }, found]) =>
    verdicts.set(file.path, combineVerdicts(found)),
  );
  for (const member of members) {
    const { path, chosen } = member.file;
    if (chosen === undefined && verdicts.has(path)) continue;
    verdicts.set(path, await matchAlone(member, slices));
  }
  for (const playlist of playlists.filter(({ file }) => file.chosen === undefined)) {
    const entries = filesIn(playlist).map((one) => one && (verdicts.get(one.file.path) ?? null));
    verdicts.set(playlist.file.path, matchPlaylist(entries));
  }
  return verdicts;
}

/** Matches the parts of a split image. All parts get the release of the first part. */
async function matchParts(
  first: SetMember,
  parts: readonly SetMember[],
  slices: Slices,
): Promise<[SetMember, SetVerdict][]> {
  const unchosen = { ...first, file: { ...first.file, chosen: undefined } };
  const verdict = await matchAlone(unchosen, slices);
  const match = verdict.match && { ...verdict.match, canonical: null };
  const decidedBy = first.file.name;
  return [
    [first, verdict],
    ...parts.map((part): [SetMember, SetVerdict] => [part, { ...verdict, match, decidedBy }]),
  ];
}

function discOf({ sheet, tracks }: SetDisc<SetMember>): Disc {
  const named = sheet?.file.identity.evidence['data track'];
  const lead =
    tracks.find(({ file }) => file.name.toLowerCase() === named?.toLowerCase()) ??
    tracks.find(({ file }) => file.identity.disc !== null) ??
    (tracks[0] as SetMember);
  const compared = tracks.flatMap((track) => {
    const { identity, size, hashes } = track.file;
    return identity.tracks.length > 0 ? comparedTracksOf(track.file) : [{ size, hashes }];
  });
  const parts: LookedUpPart[] = tracks.flatMap((track) => [track, ...track.tracks]);
  return { lead, parts, tracks: compared, sheets: sheet === null ? [] : [sheet] };
}

/**
 * Combines several results for one file that several sheets name. If all matches have the same
 * release, returns that match. Otherwise returns a match that the file's own content decided. If
 * there is no such match, the file gets no release, and the releases are tied.
 */
function combineVerdicts(found: readonly SetVerdict[]): SetVerdict {
  const matches = found.filter(({ match }) => match !== null);
  const [first] = matches.toSorted((a, b) => (a.match?.releaseId ?? 0) - (b.match?.releaseId ?? 0));
  if (first === undefined) return found[0] as SetVerdict;
  const ids = [...new Set(matches.map(({ match }) => match?.releaseId ?? 0))].sort((a, b) => a - b);
  if (ids.length === 1) return first;
  const own = matches
    .filter((one) => one.decidedBy === undefined)
    .sort((a, b) => (a.match?.releaseId ?? 0) - (b.match?.releaseId ?? 0));
  return (
    own[0] ?? {
      match: null,
      tied: ids,
      why: matches.flatMap(({ why }) => why).slice(0, maxReasons),
    }
  );
}

/**
 * Returns the release of a playlist. The playlist gets the release of its discs if all discs exist
 * and have the same release. Otherwise, the playlist gets no release. The playlist also gets no
 * release if an editor chose the release of the first disc.
 */
function matchPlaylist(discs: readonly (Verdict | null)[]): Verdict {
  const [first] = discs;
  const match = first?.match ?? null;
  const agree = discs.every((disc) => disc?.match?.releaseId === match?.releaseId);
  if (match === null || match.method === 'manual' || !agree) {
    return { match: null, tied: [], why: [] };
  }
  return { match: { ...match, canonical: null }, tied: [], why: first?.why ?? [] };
}
