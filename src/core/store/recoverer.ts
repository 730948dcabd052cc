import { CatalogError } from '../shared/errors.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { compareByCodePoint } from '../shared/text.ts';
import type { AdoptProgress, AdoptReport, LabelledFile, LabelledFiles } from './adoption.ts';
import type { Store } from './store.ts';

/** Receives the progress of a run, and can abort the run. */
interface RecoverWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: AdoptProgress) => void;
}

/** Adds archives to the store that are in the bucket, but not in the catalogue. */
export class Recoverer {
  readonly #labelled: LabelledFiles;
  readonly #store: Pick<Store, 'has' | 'save'>;

  constructor(parts: { labelled: LabelledFiles; store: Pick<Store, 'has' | 'save'> }) {
    this.#labelled = parts.labelled;
    this.#store = parts.store;
  }

  /**
   * Adds each archive whose name the catalogue does not have. If several archives have one name,
   * adds the newest complete one. Throws the signal's reason when aborted. Archives added before an
   * error stay in the store.
   */
  async run(actor: Actor, { signal, onProgress }: RecoverWatch): Promise<AdoptReport> {
    const found = await this.#newest(signal);
    const total = found.reduce((sum, { size }) => sum + size, 0);
    const refusals: { path: string; reason: string }[] = [];
    let [files, bytes, done] = [0, 0, 0];
    for (const file of found) {
      signal.throwIfAborted();
      const path = pathOf(file);
      onProgress({ files, bytes: done, total, name: path });
      done += file.size;
      if (await this.#store.has(file.area, file.name)) continue;
      const reason = await this.#recover(file, actor);
      if (reason !== null) refusals.push({ path, reason });
      else [files, bytes] = [files + 1, bytes + file.size];
    }
    return { place: this.#labelled.place, files, bytes, refused: refusals };
  }

  async #newest(signal: AbortSignal): Promise<LabelledFile[]> {
    const newest = new Map<string, LabelledFile>();
    for await (const file of this.#labelled.list(signal)) {
      const former = newest.get(pathOf(file));
      if (former === undefined || isBetter(file, former)) newest.set(pathOf(file), file);
    }
    return [...newest.values()].sort((a, b) => compareByCodePoint(pathOf(a), pathOf(b)));
  }

  /** Adds one archive. Returns the reason why it was refused; null if it was added. */
  async #recover(file: LabelledFile, actor: Actor): Promise<string | null> {
    if (!file.isThere) return 'its object is missing or has another size';
    try {
      const staged = this.#labelled.stage(file);
      await this.#store.save(file.area, file.name, staged, actor, { replaces: false });
      return null;
    } catch (error) {
      if (error instanceof CatalogError && error.kind === 'refused') return error.message;
      throw error;
    }
  }
}

const pathOf = ({ area, name }: LabelledFile) => `${area}/${name}`;

function isBetter(one: LabelledFile, other: LabelledFile): boolean {
  return one.isThere === other.isThere ? one.mtimeNs > other.mtimeNs : one.isThere;
}
