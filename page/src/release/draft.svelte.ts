import { type FieldName, type Fields, fieldNames } from './fields.ts';

/** What an editor makes of a release before it is saved, with every step to be undone. */
export class Draft {
  #fields: Fields = $state.raw() as Fields;
  #saved: Fields = $state.raw() as Fields;
  #steps: readonly Fields[] = $state.raw([]);
  /** The field whose typing is one step until another is typed in. */
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

  /** The fields that differ from what is saved. */
  get changes(): Partial<Record<FieldName, string>> {
    const changed = fieldNames.filter((name) => this.#fields[name] !== this.#saved[name]);
    return Object.fromEntries(changed.map((name) => [name, this.#fields[name]]));
  }

  /** Of the fields that differ, what is saved: sent, it takes the changes back. */
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

  /** Ends a step of typing: what is typed next is undone apart. */
  pause(): void {
    this.#typing = null;
  }

  /** Takes the last step back. */
  undo(): void {
    const before = this.#steps.at(-1);
    if (before === undefined) return;
    this.#fields = before;
    this.#steps = this.#steps.slice(0, -1);
    this.#typing = null;
  }

  /** The server has other values now; what was typed here stays. Returns which fields another changed. */
  rebase(saved: Fields): FieldName[] {
    const { changes } = this;
    const theirs = fieldNames.filter((name) => saved[name] !== this.#saved[name]);
    this.#saved = saved;
    this.#fields = { ...saved, ...changes };
    this.#steps = [];
    this.#typing = null;
    return theirs;
  }

  /** What is saved of a field. */
  savedOf(name: FieldName): string {
    return this.#saved[name];
  }

  /** Gives up what was typed in a field. */
  take(name: FieldName): void {
    this.type(name, this.#saved[name]);
    this.pause();
  }
}
