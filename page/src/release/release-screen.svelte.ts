import type { Archive, Edit, LibraryFile, Release } from '../api/extensions.ts';
import {
  dropEdit,
  editRelease,
  listArchives,
  listLibraryFiles,
  readRelease,
} from '../api/releases.ts';
import { Refusal } from '../api/request.ts';
import { Loaded } from '../parts/loaded.svelte.ts';
import { Draft } from './draft.svelte.ts';
import { type FieldName, fieldsOf } from './fields.ts';

type Changes = Partial<Record<FieldName, string>>;

/** One release on the screen: what is read of it, and the draft while it is edited. */
export class ReleaseScreen {
  readonly id: number;
  readonly #etag: { value: string | null } = { value: null };
  readonly release: Loaded<Release>;
  readonly library: Loaded<readonly LibraryFile[]>;
  readonly archives: Loaded<readonly Archive[]>;
  /** Null while nobody edits. */
  draft: Draft | null = $state.raw(null);
  isSaving = $state(false);
  /** Why the last saving failed. */
  failure: unknown = $state.raw(null);

  constructor(id: number) {
    this.id = id;
    this.release = new Loaded(async (signal) => {
      const { release, etag } = await readRelease(id, signal);
      this.#etag.value = etag;
      return release;
    });
    this.library = new Loaded((signal) => listLibraryFiles(id, signal));
    this.archives = new Loaded((signal) => listArchives(id, signal));
  }

  edit(): void {
    const { value } = this.release;
    if (value && !this.draft) this.draft = new Draft(fieldsOf(value));
  }

  cancel(): void {
    this.draft = null;
    this.failure = null;
  }

  /** Saves the draft; `force` overwrites what somebody else saved meanwhile. What was sent, with what takes it back. */
  async save(force = false): Promise<{ changes: Changes; reverse: Changes } | null> {
    const { draft } = this;
    if (!draft || this.isSaving) return null;
    const { changes, reverse } = draft;
    const isSaved = await this.#send(() =>
      editRelease(this.id, changes, force ? null : this.#etag.value),
    );
    if (!isSaved) return null;
    this.draft = null;
    await this.release.load();
    return { changes, reverse };
  }

  /**
   * Takes a saved change back: fields that were edited by hand before get their values, the others their imports. False
   * when it failed; `failure` says why.
   */
  async takeBack(reverse: Changes, editedBefore: ReadonlySet<string>): Promise<boolean> {
    const knows = this.release.value?.edits !== undefined;
    const dropped = knows ? Object.keys(reverse).filter((name) => !editedBefore.has(name)) : [];
    const rest = Object.fromEntries(
      Object.entries(reverse).filter(([name]) => !dropped.includes(name)),
    );
    const isDone = await this.#send(async () => {
      if (Object.keys(rest).length > 0) await editRelease(this.id, rest);
      for (const field of dropped) await dropEdit(this.id, field);
    });
    await this.release.load();
    return isDone;
  }

  async dropEdit({ field }: Edit): Promise<boolean> {
    const isDone = await this.#send(() => dropEdit(this.id, field));
    await this.release.load();
    return isDone;
  }

  /** Reads what somebody else saved; what was typed here stays. */
  async rebase(): Promise<void> {
    await this.release.load();
    if (this.release.value) this.draft?.rebase(fieldsOf(this.release.value));
    this.failure = null;
  }

  close(): void {
    for (const each of [this.release, this.library, this.archives]) each.close();
  }

  async #send(work: () => Promise<void>): Promise<boolean> {
    this.isSaving = true;
    this.failure = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.failure = error;
      return false;
    } finally {
      this.isSaving = false;
    }
  }
}

/** Whether a failure says that nobody is signed in. */
export const isSignedOut = (failure: unknown) =>
  failure instanceof Refusal && failure.status === 401;
