import type { Actor } from '../shared/actor.ts';
import type { Clock } from '../shared/clock.ts';
import { imageTooLarge, noCover, notFound } from '../shared/errors.ts';
import type { FileArea, OpenedFile, StagedFile, StoredFile } from '../shared/file-area.ts';
import { limitBytes } from '../shared/limit-bytes.ts';
import { type CoverGiver, type CoverOrigin, givesWay } from './cover-origin.ts';
import { isRemoval, removalAt } from './cover-removal.ts';
import { type ImageType, imageTypeOf, imageTypes } from './image-type.ts';
import type { CoverRecords, CoverSearchRecords } from './ports.ts';

/** 20 MiB (account-api.md, Limits). */
const maxCoverBytes = 20 * 1_048_576;

/** Bytes of a cover that have no name yet, and what they are. */
export interface StagedCover {
  readonly file: StagedFile;
  readonly type: ImageType;
}

export interface OpenedCover {
  readonly file: OpenedFile;
  readonly type: ImageType;
}

/** Where it is kept that somebody removed a cover. */
type CoverMisses = Pick<CoverSearchRecords, 'findMiss' | 'rememberMiss' | 'forgetMiss'>;

/** One cover image per release. The folder is the truth: a file laid there by hand is served. */
export class Covers {
  readonly #area: FileArea;
  readonly #records: CoverRecords;
  readonly #misses: CoverMisses;
  readonly #clock: Clock;

  constructor(parts: {
    area: FileArea;
    records: CoverRecords;
    misses: CoverMisses;
    clock: Clock;
  }) {
    this.#area = parts.area;
    this.#records = parts.records;
    this.#misses = parts.misses;
    this.#clock = parts.clock;
  }

  /** The newest of the release's covers. Throws `no cover available`. The caller streams or closes it. */
  async open(releaseId: number): Promise<OpenedCover> {
    const opened = await this.find(releaseId);
    if (opened === null) throw noCover();
    return opened;
  }

  /** As `open`, but null when there is none. */
  async find(releaseId: number): Promise<OpenedCover | null> {
    // Another process may replace the cover between the two steps, by one of another type: one more look.
    return (await this.#openNewest(releaseId)) ?? (await this.#openNewest(releaseId));
  }

  /** Who gave the cover that is served; null when there is none. */
  async giverOf(releaseId: number): Promise<CoverGiver | null> {
    const origin = await this.#records.findOrigin(releaseId);
    const newest = await this.#newest(releaseId);
    if (newest === null) return null;
    const { name, size, mtimeNs } = newest.file;
    const isRecorded = origin?.name === name && origin.size === size && origin.mtimeNs === mtimeNs;
    return isRecorded ? origin.kind : 'hand';
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

  /**
   * Makes staged bytes the release's only cover. One with an origin replaces only what gives way to it; false when the
   * cover that is there stays. The bytes are dropped then, and on failure.
   */
  async put(
    releaseId: number,
    cover: StagedCover,
    actor: Actor,
    origin: CoverOrigin | null = null,
  ): Promise<boolean> {
    const name = fileName(releaseId, cover.type);
    const { size, sha256 } = cover.file;
    try {
      if (isRemoval(await this.#misses.findMiss(releaseId))) {
        await this.#misses.forgetMiss(releaseId);
      }
      await this.#records.recordCover(
        { releaseId, name, size, sha256, origin },
        actor,
        async () => {
          // Within the transaction: no other process can put a cover between the look and the act.
          const isWanted = !origin || givesWay(await this.giverOf(releaseId), origin.kind);
          if (!isWanted) throw new CoverStays();
          const stored = await cover.file.publish(name);
          // After the new one is safe: a crash between leaves two, of which the newest is served.
          for (const type of imageTypes) {
            if (type !== cover.type) await this.#area.remove(fileName(releaseId, type));
          }
          return stored;
        },
      );
      return true;
    } catch (error) {
      await cover.file.discard();
      if (error instanceof CoverStays) return false;
      throw error;
    }
  }

  /** Nothing happens when there is none. No source and no disc gives the release another one, until one is put. */
  async remove(releaseId: number, actor: Actor): Promise<void> {
    if ((await this.#newest(releaseId)) === null) return;
    // Before: whoever asks for it in the next moment must not fetch it again.
    await this.#misses.rememberMiss(releaseId, removalAt(this.#clock.now()));
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
    return new Set((await this.files()).keys());
  }

  /** The file names of the covers that are served, by release id. */
  async files(): Promise<ReadonlyMap<number, string>> {
    const newest = new Map<number, StoredFile>();
    for await (const file of this.#area.list()) {
      const id = Number(/^([1-9]\d*)\.(?:png|jpg|webp)$/.exec(file.name)?.[1]);
      if (!Number.isSafeInteger(id)) continue;
      const other = newest.get(id);
      if (!other || file.mtimeNs > other.mtimeNs) newest.set(id, file);
    }
    return new Map([...newest].map(([id, file]) => [id, file.name]));
  }

  async #openNewest(releaseId: number): Promise<OpenedCover | null> {
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

/** Undoes the transaction of a cover that is not wanted. */
class CoverStays extends Error {}

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
