/** The user's settings, which are stored in this browser. No setting is secret. */
interface StoredPreferences {
  language: 'en' | 'de' | null;
  theme: 'auto' | 'light' | 'dark';
  singleKeys: boolean;
  view: 'covers' | 'table';
}

const key = 'catalog.preferences';
const initial: StoredPreferences = {
  language: null,
  theme: 'auto',
  singleKeys: true,
  view: 'covers',
};

/** The part of the browser's Storage interface that the preferences use. */
export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export class Preferences {
  #all: StoredPreferences = $state(initial);
  readonly #memory: PreferenceStorage | null;

  /** `memory` is the browser's storage, or null if the browser allows no storage. */
  constructor(memory: PreferenceStorage | null) {
    this.#memory = memory;
    this.#all = { ...initial, ...this.#read() };
  }

  get language() {
    return this.#all.language;
  }
  get theme() {
    return this.#all.theme;
  }
  get singleKeys() {
    return this.#all.singleKeys;
  }
  get view() {
    return this.#all.view;
  }

  set(change: Partial<StoredPreferences>): void {
    this.#all = { ...this.#all, ...change };
    try {
      this.#memory?.setItem(key, JSON.stringify(this.#all));
    } catch {
      // The storage is full or forbidden. The setting is lost when the tab is closed.
    }
  }

  /** Reads the stored settings again. Called when another tab has changed the settings. */
  refresh(): void {
    this.#all = { ...initial, ...this.#read() };
  }

  #read(): Partial<StoredPreferences> {
    try {
      return JSON.parse(this.#memory?.getItem(key) ?? '{}');
    } catch {
      return {};
    }
  }
}

export const preferences = new Preferences(findStorage());

function findStorage(): PreferenceStorage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
