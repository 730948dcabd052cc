import { type FieldName, type Fields, fieldNames } from './fields.ts';

/** A release's unsaved edits, with undo. */
export class Draft {
  #fields: Fields = $state.raw() as Fields;
  #saved: Fields = $state.raw() as Fields;
  #steps: readonly Fields[] = $state.raw([]);
  /** The field being typed in. Its typing counts as one step until another field is typed in. */
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

  /** The fields that differ from the saved values. */
  get changes(): Partial<Record<FieldName, string>> {
    const changed = fieldNames.filter((name) => this.#fields[name] !== this.#saved[name]);
    return Object.fromEntries(changed.map((name) => [name, this.#fields[name]]));
  }

  /** The saved values of the fields that differ. Sending them reverts the changes. */
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

  /** Ends a typing step, so that further typing is undone separately. */
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
   * Takes over new values from the server and keeps the unsaved edits. Returns the fields that
   * another user changed.
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

  /** Returns the saved value of a field. */
  savedOf(name: FieldName): string {
    return this.#saved[name];
  }

  /** Resets a field to its saved value. */
  take(name: FieldName): void {
    this.type(name, this.#saved[name]);
    this.pause();
  }
}
