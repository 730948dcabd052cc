import type { Rule } from '../sets/rule/rule.ts';
import type { ReleaseItem } from './model.ts';
import { type ResponseOf, requestJson, requestUrl } from './request.ts';
import type { components } from './schema.ts';

type SetRecord = components['schemas']['Set'];
/** The preference that chooses the editions of games in a set. */
export type Preference = NonNullable<SetRecord['prefer']>;

/** A saved rule. Its `count` is null until the releases are counted. */
export interface SavedSet extends Omit<SetRecord, 'rule'> {
  readonly rule: Rule;
}

/** The parts of a set that a user can change. */
export interface SetChange {
  readonly name?: string;
  readonly rule?: Rule;
  readonly prefer?: Preference | null;
  readonly shared?: boolean;
}

export interface SetPreview {
  /** Number of releases in the set. */
  readonly count: number;
  /** The first twelve releases, by title. */
  readonly items: readonly ReleaseItem[];
}

/** Returns the user's own sets and the shared ones, by name. */
export async function listSets(signal?: AbortSignal): Promise<readonly SavedSet[]> {
  return (await requestJson('GET', '/api/sets', { signal })).items.map(toSavedSet);
}

export async function readSet(id: number, signal: AbortSignal): Promise<SavedSet> {
  const path = { set_id: id };
  return toSavedSet(await requestJson('GET', '/api/sets/{set_id}', { path, signal }));
}

export async function createSet(set: SetChange & { readonly name: string }): Promise<SavedSet> {
  return toSavedSet(await requestJson('POST', '/api/sets', { body: bodyOf(set) }));
}

export async function changeSet(id: number, change: SetChange): Promise<SavedSet> {
  const path = { set_id: id };
  return toSavedSet(
    await requestJson('PATCH', '/api/sets/{set_id}', { path, body: bodyOf(change) }),
  );
}

export async function deleteSet(id: number): Promise<void> {
  await requestJson('DELETE', '/api/sets/{set_id}', { path: { set_id: id } });
}

/** Returns the releases that a set with this rule and this preference would contain. */
export function previewSet(
  rule: Rule,
  prefer: Preference | null,
  signal: AbortSignal,
): Promise<SetPreview> {
  const body = bodyOf({ rule, prefer });
  return requestJson('POST', '/api/sets/preview', {
    query: { include: 'platform,cover' },
    body,
    signal,
  });
}

/** Returns the URL from which to download a list of the set's missing releases. */
export function missingInSetUrl(id: number, form: 'csv' | 'dat'): string {
  return requestUrl('GET', `/api/sets/{set_id}/missing.${form}`, { path: { set_id: id } });
}

// The OpenAPI document describes a rule as an object with any keys.
const toSavedSet = (set: ResponseOf<'getSetsSetId'>) => ({ ...set, rule: set.rule as Rule });
const bodyOf = ({ rule, ...rest }: SetChange) => ({
  ...rest,
  ...(rule !== undefined && { rule: rule as Record<string, unknown> }),
});
