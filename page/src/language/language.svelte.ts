import { preferences } from '../shell/preferences.svelte.ts';
import { en, type Messages } from './en.ts';

type Code = 'en' | 'de';

/**
 * The current language of the page, with its texts and its formats for numbers, sizes and times.
 */
class Language {
  #loaded: Partial<Record<Code, Messages>> = $state.raw({ en });
  /**
   * The language that the user or the browser requests. While the texts of this language are
   * loading, the page is in English.
   */
  readonly code: Code = $derived(preferences.language ?? preferredByBrowser());
  readonly #shown: Code = $derived(this.#loaded[this.code] ? this.code : 'en');
  readonly t: Messages = $derived(this.#loaded[this.#shown] ?? en);
  /**
   * The locale for numbers and dates: the browser's regional variant of the shown language, such as
   * `en-GB`. Without such a variant, the language itself.
   */
  readonly locale: string = $derived(
    (globalThis.navigator?.languages ?? []).find((each) => each.startsWith(this.#shown)) ??
      this.#shown,
  );
  readonly #numbers = $derived(new Intl.NumberFormat(this.locale));
  readonly #days = $derived(new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium' }));
  readonly #minutes = $derived(
    new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium', timeStyle: 'short' }),
  );

  /** Loads the texts of the requested language, unless they are already loaded. */
  async load(): Promise<void> {
    if (this.code === 'de' && !this.#loaded.de) {
      const { de } = await import('./de.ts');
      this.#loaded = { ...this.#loaded, de };
    }
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  day(timestamp: string): string {
    return this.#days.format(new Date(timestamp));
  }

  minute(timestamp: string): string {
    return this.#minutes.format(new Date(timestamp));
  }

  /** Returns the displayed name of a release's type. The API calls the type `system`. */
  system(system: string): string {
    const names: Readonly<Record<string, string>> = this.t.areas;
    return names[system] ?? system;
  }

  /** Returns the name of a weekday; 0 is Sunday. */
  weekday(day: number): string {
    const { format } = new Intl.DateTimeFormat(this.locale, { weekday: 'long' });
    return format(new Date(2023, 0, 1 + day)); // 2023-01-01 was a Sunday
  }

  /** Formats a duration for display, such as `40 s`, `3 min` or `1 h 5 min`. */
  duration(seconds: number): string {
    if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))}\u00a0s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `${minutes}\u00a0min`;
    return `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`;
  }

  /** Formats a number of bytes for display, in powers of 1024. */
  size(bytes: number): string {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let value = bytes;
    let unit = 0;
    for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
    const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return `${value.toLocaleString(this.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${units[unit]}`;
  }
}

function preferredByBrowser(): Code {
  const wanted = globalThis.navigator?.languages ?? [];
  return wanted.find((each) => /^(en|de)\b/.test(each))?.startsWith('de') ? 'de' : 'en';
}

export const language = new Language();
