import { Refusal } from '../api/request.ts';
import { listSets, readSet, type SavedSet } from '../api/sets.ts';
import { RemoteValue } from '../parts/remote-value.svelte.ts';
import type { Session } from '../session/session.svelte.ts';
import { namedSets } from './rule/rule.ts';

type Viewer = Pick<Session, 'user' | 'hasRole'>;

/** The sets that a user sees: the user's own sets and the shared sets. */
export class SavedSets extends RemoteValue<readonly SavedSet[]> {
  #readerId: number | null = null;

  /** Reads the sets, like `load`. If the user has changed, first discards the other user's sets. */
  loadFor({ user }: Pick<Viewer, 'user'>): Promise<boolean> {
    const id = user?.id ?? null;
    if (id !== this.#readerId) this.clear();
    this.#readerId = id;
    return this.load();
  }
}

/** The sets of the user. They exist until the tab is closed. */
export const savedSets = new SavedSets(listSets);

/** Returns true if the user is the owner of a set. */
export function isOwn({ owner }: SavedSet, { user }: Viewer): boolean {
  return user !== null && owner === user.username;
}

/** Returns true if the user may change a set and delete it. */
export function canChange(set: SavedSet, viewer: Viewer): boolean {
  return set.shared ? viewer.hasRole('editor') : isOwn(set, viewer);
}

/**
 * Returns the set that the parameter `set` of a URL names, by id or by name. If several sets have
 * the name, prefers the user's own set, and then the lowest id. Returns undefined if there is no
 * such set.
 */
export function findSet(
  text: string,
  sets: readonly SavedSet[],
  viewer: Viewer,
): SavedSet | undefined {
  if (/^\d+$/.test(text)) return sets.find(({ id }) => id === Number(text));
  const name = text.normalize('NFC').trim();
  const named = sets.filter((set) => set.name === name).toSorted((a, b) => a.id - b.id);
  return named.find((set) => isOwn(set, viewer)) ?? named[0];
}

/** A set, and all sets that its rule may name. */
export interface SetWithOthers {
  readonly set: SavedSet;
  readonly others: readonly SavedSet[];
}

/**
 * Reads the set that the parameter `set` of a URL names, by id or by name. By id, reads the other
 * sets only if the rule names any; otherwise `others` is empty. Throws a Refusal with status 404 if
 * there is no such set.
 */
export async function readSetOf(
  text: string,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<SetWithOthers> {
  if (/^\d+$/.test(text)) {
    const set = await readSet(Number(text), signal);
    return { set, others: namedSets(set.rule).length > 0 ? await listSets(signal) : [] };
  }
  const others = await listSets(signal);
  const set = findSet(text, others, viewer);
  if (set === undefined) throw new Refusal(404, 'not found');
  return { set, others };
}
