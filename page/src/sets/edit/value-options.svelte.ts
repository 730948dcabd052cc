import { SvelteMap } from 'svelte/reactivity';
import { findReleases } from '../../api/library.ts';
import type { FacetName, Facets } from '../../api/model.ts';
import { readFacets } from '../../api/releases.ts';
import { previewSet, type SavedSet } from '../../api/sets.ts';
import { noFilters } from '../../catalogue/catalogue-location.ts';
import { RemoteValue } from '../../parts/remote-value.svelte.ts';
import type { RuleField, RuleValue } from '../rule/rule.ts';

/** A value that a condition offers. */
export interface ValueOption {
  readonly value: RuleValue;
  /** Number of releases with this value; null if it is not known. */
  readonly releases: number | null;
}

/** The languages that occur in names of releases, most frequent first. */
const languages =
  'En Ja Fr De Es It Nl Pt Sv No Da Fi Zh Ko Pl Ru Cs Hu El Tr Uk Hr Ro Ca Ar He Sk Sl Bg'.split(
    ' ',
  );
/** The tags that occur in parentheses in names of releases (`name-labels.ts` of the server). */
const tags = `Demo Beta Proto Sample Kiosk Unl Aftermarket Pirate Hack Cheat Alt Promo Debug Program
  Bad BIOS Translation`.split(/\s+/);
const states: Partial<Record<RuleField, readonly string[]>> = {
  library: ['have', 'verified', 'missing'],
  cover: ['have', 'missing'],
};
/** The fields whose values the server counts. */
const facetFields = ['platform', 'region', 'genre', 'year', 'publisher', 'system'] as const;
type FacetField = (typeof facetFields)[number];
/** Pause after the last typed character before releases are searched, in milliseconds. */
const searchMs = 200;

/**
 * The values that the conditions of a rule offer. The values of a field are read when the field
 * first needs them.
 */
export class ValueOptions {
  /** The names of releases by id, as far as they are known. */
  readonly releaseNames = new SvelteMap<number, string>();
  readonly #sets: () => readonly SavedSet[];
  readonly #facets = new Map<FacetField, RemoteValue<Facets>>();
  readonly #requestedNames = new Set<number>();
  readonly #closing = new AbortController();
  #search = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #found = new RemoteValue((signal) => findReleases(this.#search, signal));

  /** `sets` returns the sets that a rule may name. */
  constructor(sets: () => readonly SavedSet[]) {
    this.#sets = sets;
    for (const field of facetFields) {
      const extra: FacetName | null = field;
      const read = (signal: AbortSignal) => readFacets({ ...noFilters, set: '' }, extra, signal);
      this.#facets.set(field, new RemoteValue(read));
    }
  }

  /** Reads the values of a field, unless they are already loaded or loading. */
  load(field: RuleField): void {
    const facets = this.#facets.get(field as FacetField);
    if (facets !== undefined && facets.value === null && !facets.isLoading) void facets.load();
  }

  /** Searches for releases after a pause in typing. `of` returns the found releases. */
  search(text: string): void {
    clearTimeout(this.#timer);
    this.#search = text;
    this.#timer = setTimeout(() => {
      if (text.trim() !== '') void this.#found.load().then(() => this.#addFoundNames());
    }, searchMs);
  }

  /**
   * Returns the values of a field. Returns null while they are loading, and an empty array if they
   * could not be loaded.
   */
  of(field: RuleField): readonly ValueOption[] | null {
    if (field === 'language') return languages.map(plain);
    if (field === 'tag') return tags.map(plain);
    const ofField = states[field];
    if (ofField !== undefined) return ofField.map(plain);
    if (field === 'set')
      return this.#sets().map(({ id, count }) => ({ value: id, releases: count }));
    if (field === 'release_ids') return (this.#found.value ?? []).map(({ id }) => plain(id));
    const facets = this.#facets.get(field as FacetField);
    if (facets === undefined) return [];
    if (facets.failure !== null) return [];
    return facets.value?.[field as FacetField]?.filter(({ value }) => value !== '') ?? null;
  }

  /** Reads the names of these releases, except those that were already requested or read. */
  async nameReleases(ids: readonly number[]): Promise<void> {
    const unknown = ids.filter((id) => !this.releaseNames.has(id) && !this.#requestedNames.has(id));
    for (let at = 0; at < unknown.length; at += 12) {
      const some = unknown.slice(at, at + 12);
      for (const id of some) this.#requestedNames.add(id);
      const rule = { field: 'release_ids', in: some } as const;
      const found = await previewSet(rule, null, this.#closing.signal).catch(() => null);
      for (const { id, name } of found?.items ?? []) this.releaseNames.set(id, name);
    }
  }

  /** Aborts all reads. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
    this.#found.close();
    for (const facets of this.#facets.values()) facets.close();
  }

  #addFoundNames(): void {
    for (const { id, name } of this.#found.value ?? []) this.releaseNames.set(id, name);
  }
}

const plain = (value: RuleValue): ValueOption => ({ value, releases: null });
