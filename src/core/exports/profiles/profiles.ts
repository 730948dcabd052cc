import { noSuchProfile } from '../../shared/errors.ts';
import { InvalidProfile } from './invalid-profile.ts';
import type { Profile } from './profile.ts';
import { mergeProfiles, type ProfileJson, readProfile } from './read-profile.ts';

/** A file with a profile. */
export interface ProfileFile {
  /** The file's name without `.json`, which is the id of the profile. */
  readonly id: string;
  /** Absolute path. */
  readonly path: string;
  /** True for a file of the data folder. */
  readonly isOwn: boolean;
  /** The text of the file, or the reason why it cannot be read. */
  readonly content: { readonly text: string } | { readonly problem: string };
}

/** A profile that cannot be used, with the reason. */
export interface RefusedProfile {
  readonly id: string;
  readonly path: string;
  readonly reason: string;
}

/** Maximum number of profiles in a row that a profile may be based on. */
const maxBases = 5;

/** The profiles that come with the program, and those of the data folder. */
export class Profiles {
  readonly #profiles: readonly Profile[];
  /** The files that were refused. */
  readonly refused: readonly RefusedProfile[];

  /** A file of the data folder must not have the id of a profile that comes with the program. */
  constructor(files: readonly ProfileFile[]) {
    const profiles: Profile[] = [];
    const refused: RefusedProfile[] = [];
    const known = new Map<string, ProfileJson | InvalidProfile>();
    for (const file of files) {
      if (!known.has(file.id)) known.set(file.id, jsonOf(file));
    }
    for (const file of files) {
      try {
        if (profiles.some(({ id }) => id === file.id)) {
          throw new InvalidProfile('its name is that of a profile of the program');
        }
        profiles.push(readProfile(withBase(file.id, known), file));
      } catch (error) {
        if (!(error instanceof InvalidProfile)) throw error;
        refused.push({ id: file.id, path: file.path, reason: error.message });
      }
    }
    this.#profiles = profiles.sort((a, b) => Number(a.isOwn) - Number(b.isOwn) || byId(a, b));
    this.refused = refused;
  }

  /** Returns the profiles: those of the program first, then by id. */
  list(): readonly Profile[] {
    return this.#profiles;
  }

  /** Returns a profile. Throws `no such profile`. */
  get(id: string): Profile {
    const profile = this.#profiles.find((each) => each.id === id);
    if (profile === undefined) throw noSuchProfile();
    return profile;
  }
}

function jsonOf({ content }: ProfileFile): ProfileJson | InvalidProfile {
  if ('problem' in content) return new InvalidProfile(content.problem);
  try {
    const json: unknown = JSON.parse(content.text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
      return json as ProfileJson; // safe: a JSON object has text keys
    }
    return new InvalidProfile('it must be a JSON object');
  } catch {
    return new InvalidProfile('it is not valid JSON');
  }
}

/** Returns the JSON of a profile, merged with those that it is based on. */
function withBase(
  id: string,
  known: ReadonlyMap<string, ProfileJson | InvalidProfile>,
  depth = 0,
): ProfileJson {
  const json = known.get(id);
  if (json === undefined) throw new InvalidProfile(`based_on: there is no profile ${id}`);
  if (json instanceof InvalidProfile) {
    throw depth === 0 ? json : new InvalidProfile(`based_on: ${id} cannot be used`);
  }
  const base = json.based_on ?? null;
  if (base === null) return json;
  if (typeof base !== 'string') throw new InvalidProfile('based_on must be a text');
  if (depth === maxBases) throw new InvalidProfile('based_on names too many profiles in a row');
  return mergeProfiles(withBase(base, known, depth + 1), json);
}

function byId(one: Profile, other: Profile): number {
  return one.id < other.id ? -1 : 1;
}
