import type { Actor } from '../shared/actor.ts';
import { archiveTooLarge, notFound } from '../shared/errors.ts';
import type { FileArea, OpenedFile, StagedFile, StoredFile } from '../shared/file-area.ts';
import { limitBytes } from '../shared/limit-bytes.ts';
import { compareByCodePoint } from '../shared/text.ts';
import type { Area } from './archive-name.ts';
import type { StoreRecords } from './ports.ts';

/** The downloadable archives in their two areas. */
export class Store {
  readonly #areas: Readonly<Record<Area, FileArea>>;
  readonly #records: StoreRecords;
  /** Bytes; undefined for no limit. */
  readonly #maxArchiveBytes: number | undefined;

  constructor(parts: {
    areas: Readonly<Record<Area, FileArea>>;
    records: StoreRecords;
    maxArchiveBytes: number | undefined;
  }) {
    this.#areas = parts.areas;
    this.#records = parts.records;
    this.#maxArchiveBytes = parts.maxArchiveBytes;
  }

  /** Every archive of the area, ordered by name (code point). */
  async list(area: Area): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for await (const file of this.#areas[area].list()) files.push(file);
    return files.sort((a, b) => compareByCodePoint(a.name, b.name));
  }

  /** Throws `not found`. The caller streams or closes what it gets. */
  async open(area: Area, name: string): Promise<OpenedFile> {
    const file = await this.#areas[area].open(name);
    if (file === null) throw notFound();
    return file;
  }

  /** Notes that a download started. */
  noteDownload(area: Area, file: StoredFile, userId: number | null): void {
    this.#records.noteDownload({ userId, area, name: file.name, bytes: file.size });
  }

  /** Takes bytes in, without a name yet. Throws `archive too large` or `insufficient storage`. */
  stage(area: Area, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    return this.#areas[area].stage(limitBytes(bytes, this.#maxArchiveBytes, archiveTooLarge));
  }

  /** Gives staged bytes their name, replacing an archive of that name. On failure the bytes are dropped. */
  async save(area: Area, name: string, staged: StagedFile, actor: Actor): Promise<StoredFile> {
    try {
      const { size, sha256 } = staged;
      return await this.#records.recordUpload({ area, name, size, sha256 }, actor, () =>
        staged.publish(name),
      );
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  /** Throws `not found`. */
  async remove(area: Area, name: string, actor: Actor): Promise<void> {
    if ((await this.#areas[area].find(name)) === null) throw notFound();
    const removed = await this.#records.recordRemoval({ area, name }, actor, () =>
      this.#areas[area].remove(name),
    );
    if (!removed) throw notFound();
  }
}
