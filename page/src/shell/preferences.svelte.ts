/** What this browser remembers of its user; nothing of it is secret. */
interface Remembered {
  language: 'en' | 'de' | null;
  theme: 'auto' | 'light' | 'dark';
  singleKeys: boolean;
  view: 'covers' | 'table';
  /** Whether the first run was begun here and not ended. */
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

/** The part of a browser's storage that is used here. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'>;

export class Preferences {
  #all: Remembered = $state(initial);
  readonly #memory: Memory | null;

  /** Null where nothing can be remembered. */
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
      // a full or forbidden storage: it holds until the tab is closed
    }
  }

  /** What another tab has set. */
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
