import { DatRefused, type DatRom, type DatRow } from '../core/imports/dat.ts';
import { emptyTexts, isOwnField } from '../core/shared/release-fields.ts';
import { MAX_ROMS } from './limits.ts';
import { type RomText, romOf } from './normalise.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NO_FIELDS: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/**
 * Collects the parts of a row. If a field occurs several times, its first non-empty value is used.
 * Values are trimmed, because surrounding white space is formatting in XML and a mistake in other
 * formats. Names and ids are not trimmed.
 */
export class RowDraft {
  readonly #line: number;
  readonly #roms: DatRom[] = [];
  readonly #releaseRegions = new Set<string>();
  readonly #texts = { ...emptyTexts };
  #fields: Record<string, string> | undefined;
  readonly #parents: Pick<Writable<DatRow>, 'cloneOf' | 'datId' | 'cloneOfId'> = {};

  constructor(line: number) {
    this.#line = line;
  }

  setText(key: string, value: string): void {
    if (key === 'cloneof') this.setParent({ cloneOf: value });
    else if (!isOwnField(key)) this.setField(key, value);
    else this.#texts[key] ||= key === 'name' ? value : value.trim();
  }

  setField(key: string, value: string): void {
    const text = value.trim();
    if (key === '' || text === '') return;
    // The object has no prototype, because the file determines the keys and a key may be
    // `__proto__`.
    this.#fields ??= Object.create(null) as Record<string, string>;
    this.#fields[key.toLowerCase()] ??= text;
  }

  /** Sets the row's own id, or the name or id of its parent. A text that is "" counts as absent. */
  setParent(texts: { cloneOf?: string; datId?: string; cloneOfId?: string }): void {
    const { cloneOf, datId, cloneOfId } = texts;
    if (cloneOf) this.#parents.cloneOf ??= cloneOf;
    if (datId) this.#parents.datId ??= datId;
    if (cloneOfId) this.#parents.cloneOfId ??= cloneOfId;
  }

  addReleaseRegion(region: string): void {
    if (region.trim() !== '') this.#releaseRegions.add(region.trim());
  }

  /**
   * Adds a ROM. Throws `DatRefused` if a value is invalid or the row already has `MAX_ROMS` ROMs.
   */
  addRom(text: RomText, line: number): void {
    if (this.#roms.length >= MAX_ROMS) {
      throw new DatRefused(line, `more than ${MAX_ROMS} roms in one row`);
    }
    this.#roms.push(romOf(text, line));
  }

  finish(): DatRow {
    return {
      line: this.#line,
      ...this.#texts,
      releaseRegions: [...this.#releaseRegions],
      roms: this.#roms,
      ...this.#parents,
      fields: this.#fields ?? NO_FIELDS,
    };
  }
}
