import { InvalidProfile } from './invalid-profile.ts';

const maxTextLength = 1_000;

/**
 * Reads the fields of a JSON object. Each method throws `InvalidProfile` with the path of a wrong
 * field, such as `platforms.Sony - PlayStation.folder`.
 */
export class Fields {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #read = new Set<string>();

  constructor(json: unknown, path = '') {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new InvalidProfile(`${path || 'it'} must be an object`);
    }
    this.#json = json as Readonly<Record<string, unknown>>; // safe: JSON objects have text keys
    this.#path = path;
  }

  /** Returns false for a missing field, and for null. */
  has(name: string): boolean {
    return (this.#take(name) ?? null) !== null;
  }

  text(name: string, { fallback }: { fallback?: string } = {}): string {
    const value = this.#take(name) ?? fallback;
    if (typeof value !== 'string') throw this.#wrong(name, 'must be a text');
    if (value.length > maxTextLength) throw this.#wrong(name, 'is too long');
    if (/[\x00-\x1f\x7f]/.test(value)) throw this.#wrong(name, 'has a control character');
    if (value === '' && fallback === undefined) throw this.#wrong(name, 'must not be empty');
    return value;
  }

  /** Reads a relative path, which may contain the fields `allowed` in braces. */
  path(name: string, allowed: readonly string[]): string {
    const value = this.text(name);
    if (value.includes('\\')) throw this.#wrong(name, 'must have "/" between folders');
    if (value.split('/').some((part) => ['', '.', '..'].includes(part))) {
      throw this.#wrong(name, 'must be a relative path without "." and ".."');
    }
    for (const [, field = ''] of value.matchAll(/\{([^{}]*)\}/g)) {
      if (!allowed.includes(field)) throw this.#wrong(name, `has the unknown field {${field}}`);
    }
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T {
    const value = this.#take(name) ?? fallback;
    const found = values.find((each) => each === value);
    if (found === undefined) throw this.#wrong(name, `must be one of ${values.join(', ')}`);
    return found;
  }

  /** Reads a whole number from 1 to `max`. */
  number(name: string, max: number): number {
    const value = this.#take(name);
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= max) {
      return value;
    }
    throw this.#wrong(name, `must be a whole number from 1 to ${max}`);
  }

  /** Reads true or false; a missing field is false. */
  flag(name: string): boolean {
    const value = this.#take(name) ?? false;
    if (typeof value !== 'boolean') throw this.#wrong(name, 'must be true or false');
    return value;
  }

  /** Reads a list of texts of this form. */
  words(name: string, max: number, form: RegExp): string[] {
    const value = this.#take(name);
    if (!Array.isArray(value) || value.length === 0 || value.length > max) {
      throw this.#wrong(name, `must be a list of 1 to ${max} texts`);
    }
    return value.map((word: unknown) => {
      if (typeof word === 'string' && form.test(word)) return word;
      throw this.#wrong(name, `must have texts of the form ${form.source} only`);
    });
  }

  list(name: string, max: number): Fields[] {
    const value = this.#take(name);
    if (!Array.isArray(value) || value.length > max) {
      throw this.#wrong(name, `must be a list of at most ${max} objects`);
    }
    return value.map((each: unknown, index) => new Fields(each, `${this.#at(name)}[${index}]`));
  }

  object(name: string): Fields {
    return new Fields(this.#take(name), this.#at(name));
  }

  /** Returns the names of all fields. */
  names(max: number): string[] {
    const names = Object.keys(this.#json);
    if (names.length > max) throw new InvalidProfile(`${this.#path} has over ${max} entries`);
    return names;
  }

  /** Throws for a field that was not read, which is probably misspelt. */
  refuseOthers(except: readonly string[] = []): void {
    const isOther = (name: string) => !this.#read.has(name) && !except.includes(name);
    const other = Object.keys(this.#json).find(isOther);
    if (other !== undefined) throw this.#wrong(other, 'is not a field of a profile');
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#json, name) ? this.#json[name] : undefined;
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #wrong(name: string, problem: string): InvalidProfile {
    return new InvalidProfile(`${this.#at(name)} ${problem}`);
  }
}
