import { refused, usageError } from '../shared/errors.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { oneChunk } from '../shared/files/one-chunk.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { CoverProgress } from './cover-progress.ts';
import type { Covers } from './covers.ts';
import type { CoverSearchRecords, WriteZip, ZipMember } from './ports.ts';

export interface CoverBundleReport {
  /** File name of the bundle. The bundle is stored in the folder of the covers. */
  readonly file: string;
  readonly covers: number;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. Bundles of the same covers have the same hash. */
  readonly sha256: string;
}

export interface CoverBundleOptions {
  /** The system whose covers are bundled; undefined for all systems. */
  readonly system: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CoverProgress) => void;
}

/** An entry of a bundle's `manifest.json`. */
interface ManifestEntry {
  readonly id: number;
  readonly system: string;
  readonly name: string;
  /** Name of the cover's file in the zip. */
  readonly file: string;
}

/**
 * Writes zip files of covers. In a zip, each cover is named after its release's id, and a manifest
 * lists all covers.
 */
export class CoverBundler {
  readonly #area: FileArea;
  readonly #covers: Covers;
  readonly #records: CoverSearchRecords;
  readonly #writeZip: WriteZip;

  constructor(parts: {
    area: FileArea;
    covers: Covers;
    records: CoverSearchRecords;
    writeZip: WriteZip;
  }) {
    this.#area = parts.area;
    this.#covers = parts.covers;
    this.#records = parts.records;
    this.#writeZip = parts.writeZip;
  }

  /**
   * Writes `<name>.zip` into the folder of the covers. An earlier file of that name is replaced
   * only when the new one is complete. A name that ends in `.zip`, in any case, gets no second
   * suffix. Throws a usage error if the name contains characters other than letters, digits, `_`,
   * `.` and `-` (minimal-api.md, endpoint 9). Also throws a usage error for a leading dot, because
   * the file would be hidden. Throws the signal's reason when aborted.
   */
  async write(name: string, options: CoverBundleOptions, actor: Actor): Promise<CoverBundleReport> {
    const file = `${name.replace(/\.zip$/i, '')}.zip`;
    if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]*\.zip$/.test(file) || file.length > 255) {
      throw usageError(
        `"${name}" is no name for a bundle: letters, digits, "_", "." and "-" only, and no "." at the beginning`,
      );
    }
    const manifest = await this.#manifest(options);
    const staged = await this.#area.stage(this.#writeZip(this.#members(manifest, options)));
    const { size, sha256 } = staged;
    if (options.signal.aborted) await staged.discard();
    options.signal.throwIfAborted();
    await this.#covers.putBundle(file, staged, actor);
    return { file, covers: manifest.length, size, sha256 };
  }

  /** Returns the entries of the manifest, ordered by release id. */
  async #manifest({ system, signal }: CoverBundleOptions): Promise<ManifestEntry[]> {
    const files = await this.#covers.fileNamesByRelease();
    const manifest: ManifestEntry[] = [];
    for await (const batch of this.#records.releases(system)) {
      signal.throwIfAborted();
      for (const { id, system: ownSystem, name } of batch) {
        const file = files.get(id);
        if (file !== undefined) manifest.push({ id, system: ownSystem, name, file });
      }
    }
    return manifest;
  }

  #members(manifest: ManifestEntry[], { signal, onProgress }: CoverBundleOptions): ZipMember[] {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const covers = manifest.map(({ file, name }, at) => ({
      name: file,
      open: async () => {
        signal.throwIfAborted();
        onProgress({ done: at, total: manifest.length, name });
        const cover = await this.#area.open(file);
        if (cover === null) {
          throw refused(`${file} went away while the bundle was written: start it again`);
        }
        return cover.stream();
      },
    }));
    return [{ name: 'manifest.json', open: async () => oneChunk(text) }, ...covers];
  }
}
