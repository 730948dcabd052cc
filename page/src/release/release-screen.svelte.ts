import { type Explanation, explainInSet, type Group, readGroup } from '../api/groups.ts';
import type { Archive, Edit, FieldName, LibraryFile, Release } from '../api/model.ts';
import {
  dropEdit,
  editRelease,
  listArchives,
  listLibraryFiles,
  readRelease,
} from '../api/releases.ts';
import { Refusal } from '../api/request.ts';
import { RemoteValue } from '../parts/remote-value.svelte.ts';
import type { Session } from '../session/session.svelte.ts';
import { readSetOf } from '../sets/saved-sets.ts';
import { Draft } from './edit/draft.svelte.ts';
import { fieldNames, fieldsOf } from './edit/fields.ts';

/** A set, and the reason why it does or does not contain a release. */
export interface WhyInSet {
  readonly set: { readonly id: number; readonly name: string };
  readonly explanation: Explanation;
}

type Viewer = Pick<Session, 'user' | 'hasRole'>;

interface SavedChange {
  /** The values that the saved fields had before this save. */
  readonly reverse: Partial<Record<FieldName, string>>;
  /** The names of the fields that were edited by hand before this save. */
  readonly editedBefore: ReadonlySet<string>;
}

/**
 * The state of one release's screen: the data read from the server, and the draft during editing.
 */
export class ReleaseScreen {
  readonly id: number;
  readonly #etag: { value: string | null } = { value: null };
  readonly release: RemoteValue<Release>;
  readonly library: RemoteValue<readonly LibraryFile[]>;
  readonly archives: RemoteValue<readonly Archive[]>;
  /** All versions of the game, this release included. */
  readonly group: RemoteValue<Group>;
  /**
   * The reason why the release is or is not in the set from which it was opened. Null if it was not
   * opened from a set.
   */
  readonly why: RemoteValue<WhyInSet> | null;
  /** Null while the release is not being edited. */
  draft: Draft | null = $state.raw(null);
  isSaving = $state(false);
  /**
   * The error of the last change. Null if the last change succeeded, or before the first change.
   */
  failure: unknown = $state.raw(null);
  /**
   * The fields that another user has changed since this user started editing. Set when the server
   * refused a save because of these changes.
   */
  theirs: readonly FieldName[] = $state.raw([]);
  /** The last saved change, which `undoSave` can undo. Null if there is none. */
  saved: SavedChange | null = $state.raw(null);

  readonly #viewer: Viewer;

  /** `set` is the id or name of the set from which the release was opened; empty for none. */
  constructor(id: number, viewer: Viewer, set: string) {
    this.id = id;
    this.#viewer = viewer;
    this.release = new RemoteValue(async (signal) => {
      const { release, etag } = await readRelease(id, signal);
      this.#etag.value = etag;
      return release;
    });
    this.library = new RemoteValue((signal) => listLibraryFiles(id, signal));
    this.archives = new RemoteValue((signal) => listArchives(id, signal));
    this.group = new RemoteValue((signal) => readGroup(id, signal));
    const explain = async (signal: AbortSignal) => {
      const found = await readSetOf(set, viewer, signal);
      return { set: found.set, explanation: await explainInSet(found.set.id, id, signal) };
    };
    this.why = set === '' ? null : new RemoteValue(explain);
  }

  /**
   * The release. Null until it has been read, and until the reads of the files, the group and the
   * explanation have ended. All parts appear together, so that nothing moves.
   */
  get whole(): Release | null {
    const { archives, library, group } = this;
    const isSignedIn = this.#viewer.user !== null;
    const areFilesKnown = archives.isSettled && (!isSignedIn || library.isSettled);
    const isWhyKnown = !isSignedIn || this.why === null || this.why.isSettled;
    return areFilesKnown && isWhyKnown && group.isSettled ? this.release.value : null;
  }

  /** Reloads the group, and `why`, because it depends on the group. */
  async reloadGroup(): Promise<void> {
    await Promise.all([this.group.load(), this.why?.load()]);
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
   * Saves the draft. On failure, sets `failure` and resolves with false. If another user has
   * changed the release meanwhile, nothing is saved, and the draft is updated with that user's
   * values. A second save then overwrites those values.
   */
  async save(): Promise<boolean> {
    const { draft } = this;
    if (!draft || this.isSaving) return false;
    const { changes, reverse } = draft;
    const editedBefore = this.#editedFields();
    const edit = () => editRelease(this.id, changes, this.#etag.value);
    if (!(await this.#send(() => this.#rebaseOnConflict(draft, edit)))) return false;
    this.draft = null;
    this.saved = { reverse, editedBefore };
    await this.release.load();
    return true;
  }

  /**
   * Undoes the last saved change. Fields that were edited by hand before this change get their
   * former values again. Other fields get their imported values. On failure, sets `failure` and
   * resolves with false.
   */
  async undoSave(): Promise<boolean> {
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
    for (const each of [this.release, this.library, this.archives, this.group]) each.close();
    this.why?.close();
  }

  /**
   * Calls `edit` and rethrows its error. If the server refuses with 412, first reads the newer
   * release and updates the draft with the newer values.
   */
  async #rebaseOnConflict(draft: Draft, edit: () => Promise<void>): Promise<void> {
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

/** Returns the HTTP status of a refusal, or 0 if the failure is not a refusal. */
export const statusOf = (failure: unknown) => (failure instanceof Refusal ? failure.status : 0);
