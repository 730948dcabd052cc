import type { BigIntStats } from 'node:fs';
import { link, lstat, mkdir, opendir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildEntry, type Found, isUnchanged } from '../../core/builds/build-entry.ts';
import type { JournalHeader, JournalStep } from '../../core/builds/journal.ts';
import { nameKey } from '../../core/builds/plan-build.ts';
import {
  type BuildMode,
  type BuildTarget,
  type Content,
  type GameContent,
  type PlaceOptions,
  StepProblem,
} from '../../core/builds/ports.ts';
import { forEachAtMost } from '../../core/shared/concurrency/for-each-at-most.ts';
import { refused } from '../../core/shared/errors.ts';
import { withPathInErrors } from '../backups/write-atomically.ts';
import { codeOf, isGone, isLinkUnsupported } from '../local/disk-error.ts';
import { syncFolder } from '../local/durable.ts';
import type { TargetMarker } from '../target-marker.ts';
import { withFileErrors } from './file-errors.ts';
import type { GameWriter } from './game-writer.ts';
import type { JournalFile } from './journal-file.ts';
import { factsOf, Look, parentOf, statAt } from './look.ts';
import { readList } from './read-list.ts';
import { mayClone, type TargetDisk } from './target-file-system.ts';

/** The name of an unfinished file in a target. */
export const temporaryName = '.catalog-build.tmp';

const maxLooks = 16;

/** Number of removals that are confirmed together, because each confirmation waits for the disk. */
const removalsPerBatch = 256;

const taken = 'A file that no build made has this name, so it stays as it is';
const changed = 'It was changed since the build, so it stays as it is';

/** A folder of a local file system that a tree is built in. */
export class FolderTarget implements BuildTarget {
  readonly folder: string;
  readonly #disk: TargetDisk;
  readonly #file: JournalFile;
  readonly #writer: GameWriter;
  /** Null if nothing may be written. */
  readonly #marker: TargetMarker | null;
  readonly #root: BigIntStats | null;
  readonly #touched = new Set<string>();
  /** The files whose removal is not recorded yet. */
  readonly #removed: string[] = [];

  constructor(parts: {
    folder: string;
    /** The folder as it was found; null if it is missing. */
    root: BigIntStats | null;
    disk: TargetDisk;
    file: JournalFile;
    writer: GameWriter;
    marker: TargetMarker | null;
  }) {
    this.folder = parts.folder;
    this.#root = parts.root;
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

  async look(paths: Iterable<string>): Promise<Map<string, Found>> {
    const look = new Look(this.folder);
    const found = new Map<string, Found>();
    await withPathInErrors(this.folder, () =>
      forEachAtMost(maxLooks, paths, async (path) => void found.set(path, await look.at(path))),
    );
    return found;
  }

  async readText(path: string): Promise<string | null> {
    return this.#withErrors(path, async () => {
      if ((await new Look(this.folder).at(path)).is !== 'file') return null;
      return readList(this.#place(path));
    });
  }

  async begin(header: JournalHeader): Promise<void> {
    await withPathInErrors(this.folder, async () => {
      await this.#file.openForWriting();
      const { setId, set, profile } = this.journal.header ?? {};
      if (setId === header.setId && set === header.set && profile === header.profile) return;
      await this.#file.append({ do: 'begin', header }, { isDurable: true });
      await syncFolder(this.folder);
    });
  }

  /** Completes or drops the step that an interrupted build was making. */
  async recover(): Promise<void> {
    const { pending } = this.journal;
    if (this.#file.exists) {
      const temporary = await statAt(join(this.folder, temporaryName));
      if (this.#marker !== null && temporary?.isFile()) await this.#removeTemporary();
    }
    if (pending === null) return;
    const isMade = await this.#isMade(pending);
    if (this.#marker === null) {
      this.journal.apply({ do: isMade ? 'done' : 'failed' });
      return;
    }
    if (isMade) await this.#syncFolders(pending);
    await this.#append({ do: isMade ? 'done' : 'failed' }, { mayBeFull: true });
  }

  async #isMade(step: JournalStep): Promise<boolean> {
    const look = new Look(this.folder);
    if (step.do === 'folder') return (await look.folder(step.path)) === 'ok';
    if (step.do === 'remove-folder') return (await look.folder(step.path)) === 'missing';
    const found = await look.at(step.do === 'rename' ? step.to : step.entry.path);
    const entry = step.do === 'place' ? step.entry : this.journal.entries.get(step.path);
    if (found.is !== 'file' || entry === undefined) return false;
    if (!isUnchanged(entry, found.facts, this.precision)) return false;
    if (step.do === 'rename' && this.#marker !== null) await this.#removeFormerName(step);
    return true;
  }

  /** Removes the name of a file whose new name is a link to the same file. */
  async #removeFormerName({ path, to }: { path: string; to: string }): Promise<void> {
    const [former, now] = await Promise.all([this.#stat(path), this.#stat(to)]);
    const isSameName = nameKey(path, true) === nameKey(to, true);
    if (isSameName || former === null || former.ino !== now?.ino || former.nlink < 2n) return;
    await unlink(join(this.folder, path));
  }

  async place(
    file: Pick<BuildEntry, 'path' | 'kind' | 'keys' | 'list'>,
    content: Content,
    before: BuildEntry | null,
    options: PlaceOptions,
  ): Promise<void> {
    const { path } = file;
    const temporary = join(this.folder, temporaryName);
    await this.#withErrors(path, async () => {
      await this.#makeFolders(parentOf(path));
      try {
        await this.#writer.write(temporary, content, options);
        const facts = factsOf(await lstat(temporary, { bigint: true }));
        await this.#make(
          { do: 'place', entry: { ...file, ...facts } },
          async () => {
            if (before === null) await this.#move(temporaryName, path);
            else {
              await this.#check(before);
              await rename(temporary, join(this.folder, path));
            }
          },
          before === null,
        );
      } finally {
        await this.#removeTemporary();
      }
    });
  }

  async rename(before: BuildEntry, { path: to, keys }: { path: string; keys: readonly string[] }) {
    await this.#withErrors(to, async () => {
      await this.#makeFolders(parentOf(to));
      const { path } = before;
      await this.#make({ do: 'rename', path, to, keys }, async () => {
        await this.#check(before);
        await this.#move(path, to);
      });
    });
  }

  async remove(before: BuildEntry): Promise<void> {
    const { path } = before;
    await this.#withErrors(path, async () => {
      await this.#check(before);
      // Opened before the change: another device may have its place when this one is recorded.
      await this.#file.openForWriting();
      await unlink(this.#place(path));
      this.#touched.add(parentOf(path));
      this.#removed.push(path);
    });
    if (this.#removed.length < removalsPerBatch) return;
    await withPathInErrors(this.folder, () => this.#confirmRemovals());
  }

  /**
   * Records the files that were removed. The journal does not state a removal before, because a
   * missing file needs no treatment. One that came back after a power cut would be no build's.
   */
  async #confirmRemovals(): Promise<void> {
    if (this.#removed.length === 0) return;
    await this.#syncTouched();
    await this.#file.openForWriting();
    for (const path of this.#removed.splice(0)) {
      await this.#file.append({ do: 'forget', path }, { mayBeFull: true });
    }
  }

  async forget(path: string): Promise<void> {
    await this.#withErrors(path, () => this.#append({ do: 'forget', path }, { mayBeFull: true }));
  }

  async removeFolders(isNeeded: (path: string) => boolean): Promise<void> {
    const folders = [...this.journal.folders].filter((path) => !isNeeded(path));
    const depth = (path: string) => path.split('/').length;
    for (const path of folders.sort((a, b) => depth(b) - depth(a))) {
      if (await withPathInErrors(this.#place(path), () => this.#isFull(path))) continue;
      await withPathInErrors(this.#place(path), () =>
        this.#make({ do: 'remove-folder', path }, () => this.#removeFolder(path)).catch((error) => {
          // A folder that is not empty stays, and so does one that is in use.
          if (!['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(codeOf(error) ?? '')) throw error;
        }),
      );
    }
  }

  /** Returns true if a folder has files, so that it stays and no step is stated. */
  async #isFull(path: string): Promise<boolean> {
    if ((await new Look(this.folder).folder(path)) !== 'ok') return false;
    const folder = await opendir(this.#place(path));
    try {
      return (await folder.read()) !== null;
    } finally {
      await folder.close();
    }
  }

  async #removeFolder(path: string): Promise<void> {
    if ((await new Look(this.folder).folder(path)) === 'ok') await rmdir(this.#place(path));
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

  /** Makes the names that a step changed survive a power cut. */
  async #syncFolders(step: JournalStep): Promise<void> {
    const path = step.do === 'place' ? step.entry.path : step.path;
    for (const folder of new Set(
      [...(step.do === 'rename' ? [step.to] : []), path].map(parentOf),
    )) {
      await syncFolder(this.#place(folder)).catch(ignoreMissing);
      this.#touched.delete(folder);
    }
  }

  async #syncTouched(): Promise<void> {
    for (const folder of this.#touched) {
      await syncFolder(this.#place(folder)).catch(ignoreMissing);
      this.#touched.delete(folder);
    }
  }

  /**
   * States a step in the journal, makes it, and confirms it. The names that it changed are synced
   * before: after a power cut, the journal would otherwise miss a file that has its former name. A
   * new file (`isNew`) and a new folder need that less: they are made again if they are missing.
   */
  async #make(step: JournalStep, work: () => Promise<void>, isNew = false): Promise<void> {
    const mayBeFull = step.do === 'remove-folder'; // the folder is found missing without the line
    await this.#append(step, { isDurable: step.do !== 'folder', mayBeFull });
    try {
      await work();
    } catch (error) {
      await this.#append({ do: 'failed' }, { mayBeFull: true });
      throw error;
    }
    if (step.do === 'folder' || (step.do === 'place' && isNew)) {
      this.#touched.add(parentOf(step.do === 'place' ? step.entry.path : step.path));
    } else await this.#syncFolders(step);
    await this.#append({ do: 'done' }, { mayBeFull });
  }

  async #append(
    line: Parameters<JournalFile['append']>[0],
    { isDurable = false, mayBeFull = false } = {},
  ): Promise<void> {
    await this.#confirmRemovals(); // before another file gets the name of a removed one
    await this.#file.openForWriting();
    await this.#file.append(line, { isDurable, mayBeFull });
  }

  /** Creates the missing folders of a path. Throws `StepProblem` if one is a link or a file. */
  async #makeFolders(path: string): Promise<void> {
    await this.#checkRoot();
    const state = await new Look(this.folder).folder(path);
    if (state === 'ok') return;
    if (state !== 'missing') throw new StepProblem('conflict', state.why);
    if (path === '') throw refused(`${this.folder} is gone`);
    await this.#makeFolders(parentOf(path));
    await this.#make({ do: 'folder', path }, () => mkdir(this.#place(path)));
  }

  /** Throws refused() if the folder is not the one that was opened, such as after an unmount. */
  async #checkRoot(): Promise<void> {
    const root = await statAt(this.folder);
    const isSame = root?.ino === this.#root?.ino || !this.precision.hasInodes;
    if (root?.isDirectory() && root.dev === this.#root?.dev && isSame) return;
    throw refused(`${this.folder} is gone`);
  }

  /** Throws `StepProblem` if a file is not as the build left it. */
  async #check(entry: BuildEntry): Promise<void> {
    await this.#checkRoot();
    const found = await new Look(this.folder).at(entry.path);
    if (found.is === 'file' && isUnchanged(entry, found.facts, this.precision)) return;
    throw new StepProblem('conflict', found.is === 'blocked' ? found.why : changed);
  }

  /** Gives a file another name, and never replaces a file. */
  async #move(path: string, to: string): Promise<void> {
    const isSameName = this.ignoresCase && nameKey(path, true) === nameKey(to, true);
    const state = await new Look(this.folder).folder(parentOf(to));
    if (state !== 'ok') {
      throw new StepProblem('conflict', state === 'missing' ? 'Its folder is gone' : state.why);
    }
    const [source, target] = [this.#place(path), this.#place(to)];
    if (isSameName) return rename(source, target);
    try {
      await link(source, target);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new StepProblem('conflict', taken, error);
      if (!isLinkUnsupported(error)) throw error;
      if ((await statAt(target)) !== null) throw new StepProblem('conflict', taken, error);
      return rename(source, target);
    }
    await unlink(source);
  }

  async #removeTemporary(): Promise<void> {
    await rm(join(this.folder, temporaryName), { force: true });
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
