import { forEachInSlices, Slices } from '../../shared/concurrency/slices.ts';
import type { IdentifiedFile, Method } from '../library-file.ts';
import type { CatalogueEvidence } from '../ports.ts';
import type { Candidate, Evidence } from './candidate.ts';
import { type LookupKeys, lookupKeysOf } from './lookup-keys.ts';
import { candidatesBy, type ReducedEvidence, reduceEvidence } from './match.ts';

/**
 * A file, or a track in a file, with its lookup keys and the releases that match the keys.
 */
export interface LookedUpPart {
  readonly file: IdentifiedFile;
  readonly lookupKeys: LookupKeys;
  readonly evidence: Evidence;
}

/** A file and its hashed tracks, each with the matching releases. */
export interface LookedUpFile<File extends IdentifiedFile = IdentifiedFile> extends LookedUpPart {
  readonly file: File;
  readonly tracks: readonly LookedUpPart[];
  readonly reduced: ReducedEvidence;
}

/** Looks up files and their hashed tracks in the catalogue, with a single call of `find`. */
export async function lookUpFiles<File extends IdentifiedFile>(
  catalogue: Pick<CatalogueEvidence, 'find'>,
  files: readonly File[],
): Promise<LookedUpFile<File>[]> {
  if (files.length === 0) return [];
  const keysByFile: LookupKeys[][] = [];
  await forEachInSlices(files, (file) => {
    keysByFile.push([lookupKeysOf(file), ...trackLookupKeys(file)]);
  });
  const found = (await catalogue.find(keysByFile.flat())).values();
  const lookedUp: LookedUpFile<File>[] = [];
  const slices = new Slices();
  for (const [index, file] of files.entries()) {
    const [own, ...tracks] = (keysByFile[index] ?? []).map((lookupKeys) => {
      return { file, lookupKeys, evidence: found.next().value as Evidence };
    });
    const { evidence } = own as LookedUpPart;
    if (slices.isOver) await slices.next();
    const reduced = await reduceEvidence(evidence, file.identity, slices);
    lookedUp.push({ ...(own as LookedUpPart), file, tracks, reduced });
  }
  return lookedUp;
}

/**
 * Returns the releases that match the strongest matching hash of a file or track, and the kind of
 * this hash. Returns null if no hash matches.
 */
export async function matchByHash(
  part: LookedUpPart,
  slices: Slices,
): Promise<{ method: Method; candidates: readonly Candidate[] } | null> {
  for (const method of ['sha1', 'md5', 'crc32'] as const) {
    const candidates = await candidatesBy(method, part, part, slices);
    if (candidates.length > 0) return { method, candidates };
  }
  return null;
}

/**
 * Returns the lookup keys of each hashed track. A track with the same SHA-1 as the file is left
 * out, because the file's own keys cover this track.
 */
function trackLookupKeys({ identity, hashes: own }: IdentifiedFile): LookupKeys[] {
  return identity.tracks.flatMap(({ size, hashes }) => {
    if (hashes === null || size === 0 || hashes.sha1 === own?.sha1) return [];
    const { sha1, md5, crc32 } = hashes;
    const image = { crc32, size };
    return [
      { sha1: [sha1], md5: [md5], images: [image], size, serials: [], gameCode: '', names: [] },
    ];
  });
}
