import type { Actor } from '../shared/actor.ts';
import { imageTooLarge, noCover, notFound } from '../shared/errors.ts';
import type { FileArea, OpenedFile, StagedFile, StoredFile } from '../shared/file-area.ts';
import { limitBytes } from '../shared/limit-bytes.ts';
import { type ImageType, imageTypeOf, imageTypes } from './image-type.ts';
import type { CoverRecords } from './ports.ts';

/** 20 MiB (account-api.md, Limits). */
const maxCoverBytes = 20 * 1_048_576;

/** Bytes of a cover that have no name yet, and what they are. */
export interface StagedCover {
  readonly file: StagedFile;
  readonly type: ImageType;
}

/** One cover image per release. The folder is the truth: a file laid there by hand is served. */
export class Covers {
  readonly #area: FileArea;
  readonly #records: CoverRecords;

  constructor(parts: { area: FileArea; records: CoverRecords }) {
    this.#area = parts.area;
    this.#records = parts.records;
  }

  /** The newest of the release's covers. Throws `no cover available`. The caller streams or closes it. */
  async open(releaseId: number): Promise<{ file: OpenedFile; type: ImageType }> {
    // Another process may replace the cover between the two steps, by one of another type: one more look.
    const opened = (await this.#openNewest(releaseId)) ?? (await this.#openNewest(releaseId));
    if (opened === null) throw noCover();
    return opened;
  }

  /** A zip of covers, by its file name; it lies beside them. Throws `not found`. */
  async openBundle(name: string): Promise<OpenedFile> {
    const file = await this.#area.open(name);
    if (file === null) throw notFound();
    return file;
  }

  /** Takes bytes in. Throws `image too large` as soon as they exceed 20 MiB, or `insufficient storage`. */
  async stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedCover> {
    const head = new HeadOf(limitBytes(bytes, maxCoverBytes, imageTooLarge));
    const file = await this.#area.stage(head);
    return { file, type: imageTypeOf(head.bytes) };
  }

  /** Makes staged bytes the release's only cover. On failure the bytes are dropped. */
  async put(releaseId: number, cover: StagedCover, actor: Actor): Promise<void> {
    const name = fileName(releaseId, cover.type);
    const { size, sha256 } = cover.file;
    try {
      await this.#records.recordCover({ releaseId, name, size, sha256 }, actor, async () => {
        const stored = await cover.file.publish(name);
        // After the new one is safe: a crash between leaves two, of which the newest is served.
        for (const type of imageTypes) {
          if (type !== cover.type) await this.#area.remove(fileName(releaseId, type));
        }
        return stored;
      });
    } catch (error) {
      await cover.file.discard();
      throw error;
    }
  }

  /** Nothing happens when there is none. */
  async remove(releaseId: number, actor: Actor): Promise<void> {
    if ((await this.#newest(releaseId)) === null) return;
    await this.#records.recordCoverRemoval(releaseId, actor, async () => {
      let removed = false;
      for (const type of imageTypes) {
        removed = (await this.#area.remove(fileName(releaseId, type))) || removed;
      }
      return removed;
    });
  }

  /** The ids of the releases that have a cover. */
  async releasesWithCover(): Promise<ReadonlySet<number>> {
    const ids = new Set<number>();
    for await (const { name } of this.#area.list()) {
      const [, id] = /^(\d+)\.(?:png|jpg|webp)$/.exec(name) ?? [];
      if (id !== undefined) ids.add(Number(id));
    }
    return ids;
  }

  async #openNewest(releaseId: number): Promise<{ file: OpenedFile; type: ImageType } | null> {
    const found = await this.#newest(releaseId);
    const file = found && (await this.#area.open(found.file.name));
    return found && file ? { file, type: found.type } : null;
  }

  async #newest(releaseId: number): Promise<{ file: StoredFile; type: ImageType } | null> {
    const found = await Promise.all(
      imageTypes.map(async (type) => {
        const file = await this.#area.find(fileName(releaseId, type));
        return file && { file, type };
      }),
    );
    return found.reduce((best, next) => {
      if (!best || !next) return best ?? next;
      return next.file.mtimeNs > best.file.mtimeNs ? next : best;
    }, null);
  }
}

function fileName(releaseId: number, type: ImageType): string {
  return `${releaseId}.${type}`;
}

/** Passes bytes on and keeps the first twelve. */
class HeadOf implements AsyncIterable<Uint8Array> {
  bytes: Uint8Array = new Uint8Array();
  readonly #source: AsyncIterable<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source) {
      if (this.bytes.length < 12) {
        this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, 12 - this.bytes.length)]);
      }
      yield chunk;
    }
  }
}
