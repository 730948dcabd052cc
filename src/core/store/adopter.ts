import { CatalogError, refused } from '../shared/errors.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { compareByCodePoint } from '../shared/text.ts';
import type {
  AdoptOptions,
  AdoptProgress,
  AdoptReport,
  ManualFile,
  ManualFiles,
  ReadWatch,
} from './adoption.ts';
import { cleanArchiveName } from './archive-name.ts';
import type { Area } from './area.ts';
import type { Store } from './store.ts';

type ManualFileInArea = ManualFile & { readonly area: Area };

/** Receives the progress of a run, and can abort the run. */
interface AdoptWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: AdoptProgress) => void;
}

/** Kinds of errors that are temporary or affect all files. An error of these kinds ends the run. */
const ofAll: readonly CatalogError['kind'][] = ['busy', 'storage-full'];

/** Moves manually added files into the store. */
export class Adopter {
  readonly #manualFiles: ManualFiles;
  readonly #store: Pick<Store, 'has' | 'save'>;

  constructor(parts: { manualFiles: ManualFiles; store: Pick<Store, 'has' | 'save'> }) {
    this.#manualFiles = parts.manualFiles;
    this.#store = parts.store;
  }

  /**
   * Stores each file under the name that an upload of the file would get, then removes the
   * original. Originals of refused files are not removed. Throws the signal's reason when aborted.
   * Files stored before an error stay in the store.
   */
  async run(
    { replaces }: AdoptOptions,
    actor: Actor,
    { signal, onProgress }: AdoptWatch,
  ): Promise<AdoptReport> {
    const found: ManualFile[] = [];
    for await (const file of this.#manualFiles.list()) {
      signal.throwIfAborted();
      found.push(file);
    }
    found.sort((a, b) => compareByCodePoint(a.path, b.path));
    const total = found.reduce((sum, { size }) => sum + size, 0);
    const refusals: { path: string; reason: string }[] = [];
    const names = new Set<string>();
    let [files, bytes, read] = [0, 0, 0];
    for (const file of found) {
      signal.throwIfAborted();
      const before = read;
      const reportProgress = () => onProgress({ files, bytes: read, total, name: file.path });
      const onBytes = (more: number) => {
        read += more;
        reportProgress();
      };
      reportProgress();
      const reason = await this.#adopt(file, names, { replaces, actor, signal, onBytes });
      read = before + file.size;
      if (reason !== null) refusals.push({ path: file.path, reason });
      else [files, bytes] = [files + 1, bytes + file.size];
    }
    return { place: this.#manualFiles.place, files, bytes, refused: refusals };
  }

  /** Stores one file. Returns the reason why the file was refused; null if it was stored. */
  async #adopt(
    file: ManualFile,
    names: Set<string>,
    work: AdoptOptions & ReadWatch & { readonly actor: Actor },
  ): Promise<string | null> {
    try {
      await this.#takeIn(inArea(file), names, work);
      return null;
    } catch (error) {
      if (error instanceof CatalogError && !ofAll.includes(error.kind)) return error.message;
      throw error;
    }
  }

  async #takeIn(
    file: ManualFileInArea,
    names: Set<string>,
    { replaces, actor, ...watch }: AdoptOptions & ReadWatch & { readonly actor: Actor },
  ): Promise<void> {
    const { area } = file;
    const name = cleanArchiveName(file.name);
    const place = `${area}/${name}`;
    if (names.has(place)) throw refused(`another one of these is ${place} already`);
    names.add(place);
    if (!replaces && (await this.#store.has(area, name))) throw refused(`there is a ${place}`);
    const staged = await this.#manualFiles.stage(file, watch);
    await this.#store.save(area, name, staged, actor, { replaces });
    await this.#manualFiles.remove(file);
  }
}

function inArea(file: ManualFile): ManualFileInArea {
  const { area } = file;
  if (area === null) throw refused('it lies neither directly in games/ nor in videos/');
  return { ...file, area };
}
