import { folderOf } from '../core/backups/backup-parts.ts';
import type { Config } from '../settings/config.ts';
import { attachObjects, forgetObjects, type RecordedObject } from '../sql/copies/copied-objects.ts';

/** The files that a backup lists but does not contain, because they were in an object store. */
export interface RestoredObjects {
  /** Number of archives that are missing because the files were restored to a folder. */
  readonly forgotten: number;
  /** Number of files whose objects are in the bucket. */
  readonly attached: number;
  /** Paths of the files whose objects are missing in the bucket. */
  readonly missing: readonly string[];
  /** Number of objects in the bucket that the backup does not list. They stay there. */
  readonly unknown: number;
}

/** States which files a backup contains. */
interface Contained {
  readonly covers: boolean;
  readonly archives: boolean;
}

/** Adapts the records of objects in a restored database to the configured storage of files. */
export class RestoringObjects {
  readonly #config: Config;
  readonly #signal: AbortSignal;
  readonly #attached = new Map<string, RecordedObject>();
  #report: RestoredObjects = { forgotten: 0, attached: 0, missing: [], unknown: 0 };

  constructor(config: Config, signal: AbortSignal) {
    this.#config = config;
    this.#signal = signal;
  }

  /** The files whose objects are in the bucket, by `<area>/<name>`. */
  get attached(): ReadonlyMap<string, RecordedObject> {
    return this.#attached;
  }

  report(): RestoredObjects {
    return this.#report;
  }

  /** Changes the records in the database `file`, which no server uses. */
  async adapt(file: string, contained: Contained): Promise<void> {
    if (this.#config.files.startsWith('s3://')) return this.#attach(file, contained);
    // A backup of the database alone may be meant for a catalogue whose files are in a bucket.
    if (!contained.covers) return;
    const archives = await forgetObjects(file);
    if (!contained.archives) this.#report = { ...this.#report, forgotten: archives.length };
  }

  async #attach(file: string, contained: Contained): Promise<void> {
    const { findRecordedObjects } = await import('../files/s3/recorded-objects.ts');
    let unknown = 0;
    const keepsUploads = !contained.covers;
    const { attached, missing } = await attachObjects(file, { keepsUploads }, async (recorded) => {
      const files = new Map(recorded.files.map(({ key, size }) => [key, size]));
      const others = new Set(recorded.others);
      const found = await findRecordedObjects(this.#config, { files, others }, this.#signal);
      ({ unknown } = found);
      return found.present;
    });
    for (const object of attached) this.#attached.set(`${object.part}/${object.name}`, object);
    const isContained = ({ part }: RecordedObject) =>
      part === 'covers' ? contained.covers : contained.archives;
    const notContained = (objects: RecordedObject[]) => objects.filter((it) => !isContained(it));
    this.#report = {
      forgotten: 0,
      attached: notContained(attached).length,
      missing: notContained(missing).map(({ part, name }) => `${folderOf[part]}/${name}`),
      unknown,
    };
  }
}
