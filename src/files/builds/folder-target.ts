import { randomInt } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, opendir, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildEntry, type Found, isUnchanged } from '../../core/builds/build-entry.ts';
import type { JournalHeader, JournalLine, JournalStep } from '../../core/builds/journal.ts';
import { nameKey } from '../../core/builds/plan-build.ts';
import {
  type BuildMode,
  type BuildTarget,
  type Content,
  type GameContent,
  type PlaceOptions,
  type StagedFile,
  StepProblem,
} from '../../core/builds/ports.ts';
import { forEachAtMost } from '../../core/shared/concurrency/for-each-at-most.ts';
import { refused } from '../../core/shared/errors.ts';
import { withPathInErrors } from '../backups/write-atomically.ts';
import { codeOf, isGone } from '../local/disk-error.ts';
import { syncFolder } from '../local/durable.ts';
import type { TargetMarker } from '../target-marker.ts';
import { withFileErrors } from './file-errors.ts';
import type { GameWriter } from './game-writer.ts';
import type { JournalFile } from './journal-file.ts';
import { readList } from './read-list.ts';
import { mayClone, type TargetDisk } from './target-file-system.ts';
import { TargetNames } from './target-names.ts';
import { factsOf, parentOf, statAt, TargetReader } from './target-reader.ts';
import { removeTemporaries, temporaryName } from './temporary-name.ts';

const maxConcurrentReads = 16;

/** Number of removals that are confirmed together, because each confirmation waits for the disk. */
const removalsPerBatch = 256;

/** A folder of a local file system that a tree is built in. */
export class FolderTarget implements BuildTarget {
  readonly folder: string;
  readonly #disk: TargetDisk;
  readonly #file: JournalFile;
  readonly #writer: GameWriter;
  /** Null if the target is opened only for reading. */
  readonly #marker: TargetMarker | null;
  readonly #names: TargetNames;
  readonly #touched = new Set<string>();
  /** Paths of removed files whose removal is not in the journal yet. */
  readonly #removed: string[] = [];
  /** Number of the last staged file. Starts at random: files of a killed build may remain. */
  #staged = randomInt(2 ** 31);

  constructor(parts: {
    folder: string;
    /** State of the folder when it was opened; null if it was missing. */
    root: BigIntStats | null;
    disk: TargetDisk;
    file: JournalFile;
    writer: GameWriter;
    marker: TargetMarker | null;
  }) {
    this.folder = parts.folder;
    this.#names = new TargetNames(parts.folder, parts.root, parts.disk);
    this.#disk = parts.disk;
    this.#file = parts.file;
    this.#writer = parts.writer;
    this.#marker = parts.marker;
  }

  get fileSystem() {
    return this.#disk.fileSystem;
  }

  get precision() {
    return this.#disk.precision;
  }

  get ignoresCase() {
    return this.#disk.ignoresCase;
  }

  get freeBytes() {
    return this.#disk.freeBytes;
  }

  get hasJournal() {
    return this.#file.exists;
  }

  get journal() {
    return this.#file.journal;
  }

  async sharesBlocks(mode: BuildMode, root: string): Promise<boolean> {
    if (mode === 'hardlink' || mode === 'reflink') return true;
    return mode === 'auto' && mayClone(root, this.#disk);
  }

  async readStates(paths: Iterable<string>): Promise<Map<string, Found>> {
    const reader = new TargetReader(this.folder);
    const found = new Map<string, Found>();
    const read = async (path: string) => void found.set(path, await reader.stateOf(path));
    await withPathInErrors(this.folder, () => forEachAtMost(maxConcurrentReads, paths, read));
    return found;
  }

  async readList(path: string, maxBytes: number): Promise<Buffer | null> {
    return this.#withErrors(path, async () => {
      if ((await new TargetReader(this.folder).stateOf(path)).is !== 'file') return null;
      return readList(this.#place(path), maxBytes);
    });
  }

  async begin(header: JournalHeader): Promise<void> {
    await withPathInErrors(this.folder, async () => {
      await this.#file.openForWriting();
      const { setId, set, profile } = this.journal.header ?? {};
      if (setId === header.setId && set === header.set && profile === header.profile) return;
      await this.#file.append([{ do: 'begin', header }], { isDurable: true });
      await syncFolder(this.folder);
    });
  }

  /** Records each unconfirmed step of an interrupted build as made or failed. */
  async recover(): Promise<void> {
    if (this.#file.exists && this.#marker !== null) await removeTemporaries(this.folder);
    const lines: JournalLine[] = [];
    for (const step of this.journal.pending) {
      const isMade = await this.#isMade(step);
      lines.push({ do: isMade ? 'done' : 'failed' });
      if (isMade) this.#touch(step);
    }
    if (this.#marker === null) {
      for (const line of lines) this.journal.apply(line);
      this.#touched.clear();
    } else if (lines.length > 0) {
      await this.#syncTouched();
      await this.#append(lines, { mayBeFull: true });
    }
  }

  async #isMade(step: JournalStep): Promise<boolean> {
    const reader = new TargetReader(this.folder);
    if (step.do === 'folder') return (await reader.folderState(step.path)) === 'ok';
    if (step.do === 'remove-folder') return (await reader.folderState(step.path)) === 'missing';
    const found = await reader.stateOf(step.do === 'rename' ? step.to : step.entry.path);
    const entry = step.do === 'place' ? step.entry : this.journal.entries.get(step.path);
    if (found.is !== 'file' || entry === undefined) return false;
    if (!isUnchanged(entry, found.facts, this.precision)) return false;
    if (step.do === 'rename' && this.#marker !== null) await this.#removeFormerName(step);
    return true;
  }

  /** Removes the old name of a renamed file, if both names are links to the same file. */
  async #removeFormerName({ path, to }: { path: string; to: string }): Promise<void> {
    const [former, now] = await Promise.all([this.#stat(path), this.#stat(to)]);
    const isSameName = nameKey(path, true) === nameKey(to, true);
    if (isSameName || former === null || former.ino !== now?.ino || former.nlink < 2n) return;
    await unlink(join(this.folder, path));
  }

  async stage(
    file: Pick<BuildEntry, 'path' | 'kind' | 'keys' | 'list'>,
    content: Content,
    before: BuildEntry | null,
    options: PlaceOptions,
  ): Promise<StagedFile> {
    this.#staged += 1;
    const temporary = join(this.folder, temporaryName(this.#staged));
    return this.#withErrors(file.path, async () => {
      await this.#names.checkRoot();
      try {
        await this.#writer.write(temporary, content, options);
        const facts = factsOf(await lstat(temporary, { bigint: true }));
        return { entry: { ...file, ...facts }, before, temporary };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
  }

  /** Writes the journal steps of all files with one sync, and later confirms them together. */
  async commit(files: readonly StagedFile[]): Promise<Map<string, StepProblem>> {
    const problems = new Map<string, StepProblem>();
    const attempt = async (path: string, work: () => Promise<void>) => {
      const problem = await this.#withErrors(path, work).catch(problemOf);
      if (problem) problems.set(path, problem);
      return !problem;
    };
    const ready: StagedFile[] = [];
    const made: StagedFile[] = [];
    try {
      for (const file of files) {
        const { path } = file.entry;
        if (await attempt(path, () => this.#makeFolders(parentOf(path)))) ready.push(file);
      }
      if (ready.length === 0) return problems;
      const steps = ready.map(({ entry }): JournalStep => ({ do: 'place', entry }));
      await withPathInErrors(this.folder, () => this.#append(steps, { isDurable: true }));
      const lines: JournalLine[] = [];
      try {
        for (const file of ready) {
          const isMade = await attempt(file.entry.path, () => this.#give(file));
          if (isMade) made.push(file);
          lines.push({ do: isMade ? 'done' : 'failed' });
        }
        if (made.some(({ before }) => before !== null)) await this.#syncTouched();
      } finally {
        while (lines.length < ready.length) lines.push({ do: 'failed' });
        await withPathInErrors(this.folder, () => this.#append(lines, { mayBeFull: true }));
      }
      return problems;
    } finally {
      if (made.length < files.length) await this.discard(files);
    }
  }

  async discard(files: readonly StagedFile[]): Promise<void> {
    for (const { temporary } of files) await rm(temporary, { force: true });
  }

  /** Moves a staged file to its final path. */
  async #give({ temporary, before, entry: { path } }: StagedFile): Promise<void> {
    if (before === null) await this.#names.move(temporary, path);
    else await this.#names.replace(temporary, before, path);
    this.#touched.add(parentOf(path));
  }

  async rename(before: BuildEntry, { path: to, keys }: { path: string; keys: readonly string[] }) {
    await this.#withErrors(to, async () => {
      await this.#makeFolders(parentOf(to));
      const { path } = before;
      await this.#make({ do: 'rename', path, to, keys }, async () => {
        await this.#names.check(before);
        await this.#names.rename(path, to);
      });
    });
  }

  async remove(before: BuildEntry): Promise<void> {
    const { path } = before;
    await this.#withErrors(path, async () => {
      await this.#names.check(before);
      // Open the journal before the removal. If another device is now mounted here, this fails
      // before anything is removed.
      await this.#file.openForWriting();
      await unlink(this.#place(path));
      this.#touched.add(parentOf(path));
      this.#removed.push(path);
    });
    if (this.#removed.length < removalsPerBatch) return;
    await withPathInErrors(this.folder, () => this.#confirmRemovals());
  }

  /**
   * Records removed files in the journal. There is no earlier step for them, because a missing file
   * needs no recovery. Syncs first, because a power cut could bring back a file that the journal no
   * longer lists.
   */
  async #confirmRemovals(): Promise<void> {
    if (this.#removed.length === 0) return;
    await this.#syncTouched();
    await this.#file.openForWriting();
    const lines = this.#removed.splice(0).map((path) => ({ do: 'forget' as const, path }));
    await this.#file.append(lines, { mayBeFull: true });
  }

  async forget(path: string): Promise<void> {
    await this.#withErrors(path, () => this.#append([{ do: 'forget', path }], { mayBeFull: true }));
  }

  async removeFolders(isNeeded: (path: string) => boolean): Promise<void> {
    const folders = [...this.journal.folders].filter((path) => !isNeeded(path));
    const depth = (path: string) => path.split('/').length;
    for (const path of folders.sort((a, b) => depth(b) - depth(a))) {
      if (await withPathInErrors(this.#place(path), () => this.#isFull(path))) continue;
      await withPathInErrors(this.#place(path), () =>
        this.#make({ do: 'remove-folder', path }, () => this.#removeFolder(path)).catch((error) => {
          // Keep a folder that is not empty or is in use.
          if (!['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(codeOf(error) ?? '')) throw error;
        }),
      );
    }
  }

  /** Returns true if a folder is not empty. Such a folder is kept, without a journal step. */
  async #isFull(path: string): Promise<boolean> {
    if ((await new TargetReader(this.folder).folderState(path)) !== 'ok') return false;
    const folder = await opendir(this.#place(path));
    try {
      return (await folder.read()) !== null;
    } finally {
      await folder.close();
    }
  }

  async #removeFolder(path: string): Promise<void> {
    const state = await new TargetReader(this.folder).folderState(path);
    if (state === 'ok') await rmdir(this.#place(path));
  }

  async compare(path: string, content: GameContent, signal: AbortSignal): Promise<void> {
    await this.#withErrors(path, () => this.#writer.compare(this.#place(path), content, signal));
  }

  async reset(): Promise<void> {
    await withPathInErrors(this.folder, async () => {
      await this.#confirmRemovals();
      await this.#syncTouched();
      await this.#file.openForWriting();
      await this.#file.empty();
    });
  }

  async close(): Promise<void> {
    try {
      await withPathInErrors(this.folder, async () => {
        await this.#confirmRemovals().finally(() => this.#file.close());
        await this.#syncTouched();
      });
    } finally {
      await this.#writer.close().finally(() => this.#marker?.remove());
    }
  }

  /** Adds the folders in which a step changed names to those that will be synced. */
  #touch(step: JournalStep): void {
    this.#touched.add(parentOf(step.do === 'place' ? step.entry.path : step.path));
    if (step.do === 'rename') this.#touched.add(parentOf(step.to));
  }

  async #syncTouched(): Promise<void> {
    for (const folder of this.#touched) {
      await syncFolder(this.#place(folder)).catch(ignoreMissing);
      this.#touched.delete(folder);
    }
  }

  /**
   * Writes a step to the journal, runs `work`, and confirms the step. The changed folders are
   * synced before the confirmation. Otherwise, a power cut could restore a name that the journal no
   * longer has. A new folder is not synced, because it is created again if it is missing.
   */
  async #make(step: JournalStep, work: () => Promise<void>): Promise<void> {
    const mayBeFull = step.do === 'remove-folder'; // no line is needed for a folder that is missing
    await this.#append([step], { isDurable: step.do !== 'folder', mayBeFull });
    try {
      await work();
    } catch (error) {
      await this.#append([{ do: 'failed' }], { mayBeFull: true });
      throw error;
    }
    this.#touch(step);
    if (step.do !== 'folder') await this.#syncTouched();
    await this.#append([{ do: 'done' }], { mayBeFull });
  }

  async #append(
    lines: readonly JournalLine[],
    { isDurable = false, mayBeFull = false } = {},
  ): Promise<void> {
    await this.#confirmRemovals(); // before another file gets the name of a removed one
    await this.#file.openForWriting();
    await this.#file.append(lines, { isDurable, mayBeFull });
  }

  /** Creates the missing folders of a path. Throws `StepProblem` if one is a link or a file. */
  async #makeFolders(path: string): Promise<void> {
    await this.#names.checkRoot();
    const state = await new TargetReader(this.folder).folderState(path);
    if (state === 'ok') return;
    if (state !== 'missing') throw new StepProblem('conflict', state.why);
    if (path === '') throw refused(`${this.folder} is gone`);
    await this.#makeFolders(parentOf(path));
    await this.#make({ do: 'folder', path }, () => mkdir(this.#place(path)));
  }

  #stat(path: string) {
    return statAt(this.#place(path));
  }

  #place(path: string): string {
    return join(this.folder, path);
  }

  /** Converts the errors that concern one file to `StepProblem`, and all others to refused(). */
  async #withErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
    return withPathInErrors(this.#place(path), () => withFileErrors(path, work));
  }
}

function ignoreMissing(error: unknown): void {
  if (!isGone(error)) throw error;
}

/** Returns the problem of one file. Rethrows all other errors. */
function problemOf(error: unknown): StepProblem {
  if (error instanceof StepProblem) return error;
  throw error;
}
