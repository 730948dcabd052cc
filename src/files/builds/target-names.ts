import type { BigIntStats } from 'node:fs';
import { link, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildEntry, isUnchanged } from '../../core/builds/build-entry.ts';
import { changedSince, foreignFile, nameKey } from '../../core/builds/plan-build.ts';
import { StepProblem } from '../../core/builds/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import { codeOf, isLinkUnsupported } from '../local/disk-error.ts';
import type { TargetDisk } from './target-file-system.ts';
import { parentOf, statAt, TargetReader } from './target-reader.ts';

/** Moves and renames the files of a target. Never replaces a file that the build did not make. */
export class TargetNames {
  readonly #folder: string;
  /** State of the folder when it was opened; null if it was missing. */
  readonly #root: BigIntStats | null;
  readonly #disk: TargetDisk;

  constructor(folder: string, root: BigIntStats | null, disk: TargetDisk) {
    this.#folder = folder;
    this.#root = root;
    this.#disk = disk;
  }

  /** Throws refused() if the folder is not the one that was opened, such as after an unmount. */
  async checkRoot(): Promise<void> {
    const root = await statAt(this.#folder);
    const isSame = root?.ino === this.#root?.ino || !this.#disk.precision.hasInodes;
    if (root?.isDirectory() && root.dev === this.#root?.dev && isSame) return;
    throw refused(`${this.#folder} is gone`);
  }

  /** Throws `StepProblem` if a file was changed or removed since the build made it. */
  async check(entry: BuildEntry): Promise<void> {
    await this.checkRoot();
    const found = await new TargetReader(this.#folder).stateOf(entry.path);
    if (found.is === 'file' && isUnchanged(entry, found.facts, this.#disk.precision)) return;
    throw new StepProblem('conflict', found.is === 'blocked' ? found.why : changedSince);
  }

  /** Renames a file of the target. Throws `StepProblem` if another file has the new name. */
  async rename(path: string, to: string): Promise<void> {
    const isSameName = this.#disk.ignoresCase && nameKey(path, true) === nameKey(to, true);
    if (!isSameName) return this.move(join(this.#folder, path), to);
    await this.#checkFolder(to);
    await rename(join(this.#folder, path), join(this.#folder, to));
  }

  /** Moves a file to a path in the target. Throws `StepProblem` if another file has this path. */
  async move(source: string, to: string): Promise<void> {
    await this.#checkFolder(to);
    const target = join(this.#folder, to);
    try {
      await link(source, target);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new StepProblem('conflict', foreignFile, error);
      if (!isLinkUnsupported(error)) throw error;
      if ((await statAt(target)) !== null) throw new StepProblem('conflict', foreignFile, error);
      return rename(source, target);
    }
    await unlink(source);
  }

  /** Replaces a file of the build by `source`. Throws `StepProblem` if the file was changed. */
  async replace(source: string, before: BuildEntry, to: string): Promise<void> {
    await this.check(before);
    await rename(source, join(this.#folder, to));
  }

  async #checkFolder(path: string): Promise<void> {
    const state = await new TargetReader(this.#folder).folderState(parentOf(path));
    if (state === 'ok') return;
    throw new StepProblem('conflict', state === 'missing' ? 'Its folder is gone' : state.why);
  }
}
