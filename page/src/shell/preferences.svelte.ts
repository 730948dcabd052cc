/** The settings that this browser stores for its user. None of them is secret. */
interface Remembered {
  language: 'en' | 'de' | null;
  theme: 'auto' | 'light' | 'dark';
  singleKeys: boolean;
  view: 'covers' | 'table';
  /** Whether the first run was started here and has not ended. */
  firstRun: boolean;
}

const key = 'catalog.preferences';
const initial: Remembered = {
  language: null,
  theme: 'auto',
  singleKeys: true,
  view: 'covers',
  firstRun: false,
};

/** The part of the browser's Storage that is used here. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'>;

export class Preferences {
  #all: Remembered = $state(initial);
  readonly #memory: Memory | null;

  /** `memory` is null if nothing can be stored. */
  constructor(memory: Memory | null) {
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
  get firstRun() {
    return this.#all.firstRun;
  }

  set(change: Partial<Remembered>): void {
    this.#all = { ...this.#all, ...change };
    try {
      this.#memory?.setItem(key, JSON.stringify(this.#all));
    } catch {
      // The storage is full or forbidden: the setting lasts until the tab is closed.
    }
  }

  /** Takes over the settings of another tab. */
  refresh(): void {
    this.#all = { ...initial, ...this.#read() };
  }

  #read(): Partial<Remembered> {
    try {
      return JSON.parse(this.#memory?.getItem(key) ?? '{}');
    } catch {
      return {};
    }
  }
}

export const preferences = new Preferences(findStorage());

function findStorage(): Memory | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
