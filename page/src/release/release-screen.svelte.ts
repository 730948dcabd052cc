import type { Archive, Edit, LibraryFile, Release } from '../api/model.ts';
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
import { type FieldName, fieldNames, fieldsOf } from './fields.ts';

interface Saved {
  /** The previous values. */
  readonly reverse: Partial<Record<FieldName, string>>;
  /** The fields that had been edited by hand before. */
  readonly editedBefore: ReadonlySet<string>;
}

/** The state of one release's screen: the data read, and the draft during editing. */
export class ReleaseScreen {
  readonly id: number;
  readonly #etag: { value: string | null } = { value: null };
  readonly release: Loaded<Release>;
  readonly library: Loaded<readonly LibraryFile[]>;
  readonly archives: Loaded<readonly Archive[]>;
  /** Null while the release is not being edited. */
  draft: Draft | null = $state.raw(null);
  isSaving = $state(false);
  /** Why the last save failed. */
  failure: unknown = $state.raw(null);
  /**
   * The fields that another user changed meanwhile, set when a save was refused for that reason.
   */
  theirs: readonly FieldName[] = $state.raw([]);
  /** The last saved change, which can be undone. */
  saved: Saved | null = $state.raw(null);

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
    if (!value || this.draft) return;
    this.failure = null;
    this.draft = new Draft(fieldsOf(value));
  }

  cancel(): void {
    this.draft = null;
    this.failure = null;
  }

  /**
   * Saves the draft. Returns false if that failed. If another user changed the release meanwhile,
   * the draft is rebased on their version, and saving again overwrites it.
   */
  async save(): Promise<boolean> {
    const { draft } = this;
    if (!draft || this.isSaving) return false;
    const { changes, reverse } = draft;
    const editedBefore = this.#editedFields();
    const edit = () => editRelease(this.id, changes, this.#etag.value);
    if (!(await this.#send(() => this.#orRebase(draft, edit)))) return false;
    this.draft = null;
    this.saved = { reverse, editedBefore };
    await this.release.load();
    return true;
  }

  /**
   * Undoes the last saved change. Fields that were edited by hand before get those values back; the
   * others get their imported values. Returns false if that failed; `failure` then holds the
   * reason.
   */
  async takeBack(): Promise<boolean> {
    const { saved } = this;
    if (!saved) return false;
    const rest = Object.entries(saved.reverse).filter(([name]) => saved.editedBefore.has(name));
    const dropped = fieldNames.filter(
      (name) => name in saved.reverse && !saved.editedBefore.has(name),
    );
    const isDone = await this.#send(async () => {
      if (rest.length > 0) await editRelease(this.id, Object.fromEntries(rest), this.#etag.value);
      for (const field of dropped) await dropEdit(this.id, field);
    });
    if (isDone && this.saved === saved) this.saved = null;
    await this.release.load();
    return isDone;
  }

  async dropEdit({ field }: Edit): Promise<boolean> {
    const isDone = await this.#send(() => dropEdit(this.id, field));
    await this.release.load();
    return isDone;
  }

  close(): void {
    for (const each of [this.release, this.library, this.archives]) each.close();
  }

  /**
   * Edits the release. If the server answers 412, reads the newer version into the draft before
   * throwing the error.
   */
  async #orRebase(draft: Draft, edit: () => Promise<void>): Promise<void> {
    try {
      await edit();
    } catch (error) {
      if (statusOf(error) === 412) await this.#rebase(draft);
      throw error;
    }
  }

  async #rebase(draft: Draft): Promise<void> {
    await this.release.load();
    if (this.release.value) this.theirs = draft.rebase(fieldsOf(this.release.value));
  }

  #editedFields(): ReadonlySet<string> {
    return new Set(this.release.value?.edits?.map((each) => each.field));
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

/** Returns the status of a refusal, or 0 for any other failure. */
export const statusOf = (failure: unknown) => (failure instanceof Refusal ? failure.status : 0);
