import { refused } from '../../shared/errors.ts';
import type { Actor } from '../../shared/requests/actor.ts';
import { baseName } from '../dat-intake.ts';
import type { FileReport, Imports } from '../imports.ts';
import { type DownloadLimits, defaultLimits, download, isStorageFull } from './download.ts';
import type { PartialFile, RemoteZip } from './ports.ts';

/** The result of a fetch of the catalogue. */
export interface CatalogueReport {
  /** Size of the zip in bytes. */
  readonly size: number;
  /** Number of DATs in the zip that were imported. */
  readonly files: number;
  readonly new: number;
  readonly changed: number;
  /** Number of releases that got metadata or a serial. */
  readonly filled: number;
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

export interface CatalogueProgress {
  readonly phase: 'download' | 'import';
  /** Number of bytes of the zip that are downloaded, or of the DATs that are read. */
  readonly done: number;
  /** Size in bytes of the zip, or of all DATs; 0 if the server does not state the zip's size. */
  readonly total: number;
  /** Name of the DAT that is being imported; "" for none. */
  readonly name: string;
}

/** The last completed step of a fetch. */
export interface CatalogueStep {
  /** Size of the downloaded zip, in bytes. */
  readonly size: number;
  /** The reports of the DATs that are imported. */
  readonly files: readonly FileReport[];
}

export interface CatalogueWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CatalogueProgress) => void;
  /** The last step of an earlier attempt; null for none. */
  readonly step: CatalogueStep | null;
  readonly onStep: (step: CatalogueStep, options: { readonly atOnce: boolean }) => Promise<void>;
}

/** Downloads the zip of the catalogue source and imports its DATs. */
export class CatalogueFetcher {
  readonly #remote: RemoteZip | null;
  readonly #file: PartialFile;
  readonly #imports: Pick<Imports, 'importPaths'>;
  readonly #limits: DownloadLimits;

  constructor(parts: {
    /** Null if no source is configured. */
    remote: RemoteZip | null;
    file: PartialFile;
    imports: Pick<Imports, 'importPaths'>;
    limits?: DownloadLimits;
  }) {
    this.#remote = parts.remote;
    this.#file = parts.file;
    this.#imports = parts.imports;
    this.#limits = parts.limits ?? defaultLimits;
  }

  /** True if a source is configured. */
  get hasSource(): boolean {
    return this.#remote !== null;
  }

  /**
   * Downloads the zip and imports its DATs, each completely or not at all. If the import is stopped
   * or fails, the zip stays for the next attempt, unless the disk is full. Throws refused() if no
   * source is configured, the zip cannot be downloaded, or nothing in it can be imported. Throws
   * busy() and insufficientStorage().
   */
  async run(watch: CatalogueWatch, actor: Actor): Promise<CatalogueReport> {
    const remote = this.#remote;
    if (remote === null) {
      throw refused('--catalogue-source is empty: set the address of a zip, or import files');
    }
    const { step } = watch;
    const stored = await this.#file.find();
    const isDownloaded = step !== null && stored?.size === step.size;
    const size = isDownloaded ? step.size : await this.#download(remote, watch);
    const done = isDownloaded ? step.files : [];
    await watch.onStep({ size, files: done }, { atOnce: true });
    const files = await this.#import(
      remote,
      { ...watch, step: { size, files: done } },
      actor,
    ).catch(async (error: unknown) => {
      if (isStorageFull(error)) await this.#file.remove();
      throw error;
    });
    await this.#file.remove();
    const [first] = files;
    if (first !== undefined && 'refused' in first && files.every((file) => 'refused' in file)) {
      throw refused(`nothing in ${remote.url} could be imported: ${first.reason}`);
    }
    return { size, ...sumsOf(files) };
  }

  #download(remote: RemoteZip, { signal, onProgress }: CatalogueWatch): Promise<number> {
    const onBytes = (done: number, total: number | null) =>
      onProgress({ phase: 'download', done, total: total ?? 0, name: '' });
    return download(remote, this.#file, { signal, onBytes }, this.#limits);
  }

  async #import(
    { url }: RemoteZip,
    { signal, step, onStep, onProgress }: CatalogueWatch & { readonly step: CatalogueStep },
    actor: Actor,
  ): Promise<readonly FileReport[]> {
    const files = [...step.files];
    const zip = { path: this.#file.path, name: nameOf(url) };
    const report = await this.#imports.importPaths(
      [zip],
      {
        signal,
        done: step.files,
        onProgress: ({ file, bytesBefore, bytesRead, allBytes }) => {
          const done = bytesBefore + bytesRead;
          onProgress({ phase: 'import', done, total: allBytes, name: baseName(file) });
        },
        onFile: async (file) => {
          files.push(withoutSamples(file));
          await onStep({ size: step.size, files: [...files] }, { atOnce: false });
        },
      },
      actor,
    );
    return report.files;
  }
}

/** Returns the last part of a URL's path, as the name of the zip in messages. */
function nameOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) || 'catalogue.zip';
}

/** Drops the samples, because the steps of hundreds of files must fit in the job's row. */
function withoutSamples(file: FileReport): FileReport {
  if ('refused' in file) return file;
  const none = Object.keys(file.samples).map((kind) => [kind, []]);
  return { ...file, samples: Object.fromEntries(none) };
}

function sumsOf(files: readonly FileReport[]): Omit<CatalogueReport, 'size'> {
  const sums = { files: 0, new: 0, changed: 0, filled: 0 };
  const refused: { path: string; reason: string }[] = [];
  for (const file of files) {
    if ('refused' in file) {
      const place = file.line === null ? file.file : `${file.file}:${file.line}`;
      refused.push({ path: place, reason: file.reason });
      continue;
    }
    sums.files += 1;
    sums.new += file.counts.new;
    sums.changed += file.counts.changed;
    sums.filled += file.counts.filled;
  }
  return { ...sums, refused };
}
