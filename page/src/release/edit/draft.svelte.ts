import type { FieldName } from '../../api/model.ts';
import { type Fields, fieldNames } from './fields.ts';

/** A release's unsaved edits, with undo. */
export class Draft {
  #fields: Fields = $state.raw() as Fields;
  #saved: Fields = $state.raw() as Fields;
  #steps: readonly Fields[] = $state.raw([]);
  /**
   * The field in which the user is typing. All typing in this field is one undo step, until the
   * user types in another field.
   */
  #typing: FieldName | null = null;

  constructor(saved: Fields) {
    this.#fields = saved;
    this.#saved = saved;
  }

  get fields(): Fields {
    return this.#fields;
  }
  get canUndo(): boolean {
    return this.#steps.length > 0;
  }
  get isChanged(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /** The edited values of the fields that differ from their saved values. */
  get changes(): Partial<Record<FieldName, string>> {
    const changed = fieldNames.filter((name) => this.#fields[name] !== this.#saved[name]);
    return Object.fromEntries(changed.map((name) => [name, this.#fields[name]]));
  }

  /**
   * The saved values of the edited fields. After the edits are saved, sending these values undoes
   * the edits.
   */
  get reverse(): Partial<Record<FieldName, string>> {
    return Object.fromEntries(
      Object.keys(this.changes).map((name) => [name, this.#saved[name as FieldName]]),
    );
  }

  type(name: FieldName, value: string): void {
    if (value === this.#fields[name]) return;
    if (this.#typing !== name) this.#steps = [...this.#steps, this.#fields];
    this.#typing = name;
    this.#fields = { ...this.#fields, [name]: value };
  }

  /** Ends a typing step. Further typing in the same field is then a separate undo step. */
  pause(): void {
    this.#typing = null;
  }

  /** Undoes the last step. */
  undo(): void {
    const before = this.#steps.at(-1);
    if (before === undefined) return;
    this.#fields = before;
    this.#steps = this.#steps.slice(0, -1);
    this.#typing = null;
  }

  /**
   * Replaces the saved values with newer values from the server, and keeps the unsaved edits.
   * Returns the fields whose saved values were changed by another user.
   */
  rebase(saved: Fields): FieldName[] {
    const { changes } = this;
    const theirs = fieldNames.filter((name) => saved[name] !== this.#saved[name]);
    this.#saved = saved;
    this.#fields = { ...saved, ...changes };
    this.#steps = [];
    this.#typing = null;
    return theirs;
  }

  savedOf(name: FieldName): string {
    return this.#saved[name];
  }

  /** Resets a field to its saved value. `undo` can restore the edited value. */
  take(name: FieldName): void {
    this.type(name, this.#saved[name]);
    this.pause();
  }
}
