import { imageTooLarge, insufficientStorage, noCover, notFound } from '../shared/errors.ts';
import type { FileArea, OpenedFile, StagedFile, StoredFile } from '../shared/files/file-area.ts';
import type { FileChanges } from '../shared/files/file-changes.ts';
import { limitBytes } from '../shared/files/limit-bytes.ts';
import { recordedSha256 } from '../shared/files/recorded-sha256.ts';
import type { Actor } from '../shared/requests/actor.ts';
import {
  coverFileName,
  fileNamesByRelease,
  findCover,
  maxCoverBytes,
  possibleFileNames,
} from './cover-files.ts';
import { type CoverOrigin, type CoverOriginKind, mayReplace } from './cover-origin.ts';
import type { CoverTags } from './cover-tags.ts';
import { type ImageType, imageTypeOf } from './image-type.ts';
import type { CoverChange, CoverRecords } from './ports.ts';
import type { Thumbnail, Thumbnails } from './thumbnails.ts';

/** The image type and the stored bytes of a cover that is not yet published under a name. */
export interface StagedCover {
  readonly file: StagedFile;
  readonly type: ImageType;
}

export interface OpenedCover {
  readonly file: OpenedFile;
  readonly type: ImageType;
}

/**
 * The result of storing a cover. `kept`: the existing cover stays. `removed`: nothing was stored,
 * because a user removed the cover.
 */
export type PutOutcome = 'stored' | 'kept' | 'removed';

/**
 * Stores one cover image for each release. Manually added files with a cover's name are served too;
 * the newest file of a release is its cover.
 */
export class Covers {
  readonly #area: FileArea;
  readonly #records: CoverRecords;
  readonly #changes: FileChanges<CoverChange>;
  readonly #tags: CoverTags;
  readonly #thumbnails: Thumbnails;

  constructor(parts: {
    area: FileArea;
    records: CoverRecords;
    changes: FileChanges<CoverChange>;
    tags: CoverTags;
    thumbnails: Thumbnails;
  }) {
    this.#area = parts.area;
    this.#records = parts.records;
    this.#changes = parts.changes;
    this.#tags = parts.tags;
    this.#thumbnails = parts.thumbnails;
  }

  /**
   * Opens the newest cover file of the release. Throws `no cover available`. The caller must stream
   * or close the returned cover.
   */
  async open(releaseId: number): Promise<OpenedCover> {
    const opened = await this.openIfStored(releaseId);
    if (opened === null) throw noCover();
    return opened;
  }

  /** Returns the SHA-256 of a cover or bundle's content, if it is recorded; null otherwise. */
  sha256Of(file: StoredFile): Promise<string | null> {
    return recordedSha256(file, (files) => this.#records.findChecksums(files));
  }

  /** Does the same as `open`, but returns null when there is no cover. */
  async openIfStored(releaseId: number): Promise<OpenedCover | null> {
    // Try twice: after the file is found and before it is opened, another process may replace it by
    // a file of another type.
    return (await this.#openNewest(releaseId)) ?? (await this.#openNewest(releaseId));
  }

  /**
   * Returns a fingerprint that changes whenever the result of `open` or `thumbnail` would change.
   * Returns null if the fingerprint cannot be determined synchronously.
   */
  fingerprintSync(releaseId: number): string | null {
    return this.#area.fingerprintSync(possibleFileNames(releaseId));
  }

  /** Returns a thumbnail of the release's cover (see `Thumbnails.get`). */
  thumbnail(releaseId: number, width: number): Promise<Thumbnail> {
    return this.#thumbnails.get(releaseId, width);
  }

  /**
   * Returns the tags of these releases' covers, by release id (see `coverTag`). Releases without a
   * cover are absent. A returned tag was determined at most a second ago.
   */
  tagsOf(releaseIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.#tags.tagsOf(releaseIds);
  }

  /** Returns the kind of origin of the release's cover; null when there is no cover. */
  async originOf(releaseId: number): Promise<CoverOriginKind | null> {
    const origin = await this.#records.findOrigin(releaseId);
    const newest = await findCover(this.#area, releaseId);
    if (newest === null) return null;
    const { name, size, mtimeNs } = newest.file;
    const isRecorded = origin?.name === name && origin.size === size && origin.mtimeNs === mtimeNs;
    return isRecorded ? origin.kind : 'manual';
  }

  /** Returns true if a user removed the release's cover and no cover was stored since then. */
  wasRemoved(releaseId: number): Promise<boolean> {
    return this.#records.wasRemoved(releaseId);
  }

  /** Opens a bundle (a zip file of covers) by its file name. Throws `not found`. */
  async openBundle(name: string): Promise<OpenedFile> {
    const file = await this.#area.open(name);
    if (file === null) throw notFound();
    return file;
  }

  /**
   * Throws `insufficient storage` when there is no room for a cover of this many bytes. Requires at
   * most room for a cover of the maximum size.
   */
  async checkSpace(bytes: number): Promise<void> {
    const hasSpace = await this.#area.hasSpaceFor(Math.min(bytes, maxCoverBytes));
    if (!hasSpace) throw insufficientStorage();
  }

  /**
   * Stores the bytes of a cover without publishing them. Throws `insufficient storage`. Throws
   * `image too large` as soon as more than 20 MiB were received.
   */
  async stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedCover> {
    const head = new HeadRecorder(limitBytes(bytes, maxCoverBytes, imageTooLarge));
    const file = await this.#area.stage(head);
    return { file, type: imageTypeOf(head.bytes) };
  }

  /**
   * Publishes staged bytes as the release's only cover. A cover with an origin is stored only if it
   * may replace the existing cover. It is not stored if a user removed the release's cover, unless
   * `evenIfRemoved` is set. Bytes that are not stored are discarded.
   */
  async put(
    releaseId: number,
    { file, type }: StagedCover,
    actor: Actor,
    origin: CoverOrigin | null = null,
    { evenIfRemoved = false }: { evenIfRemoved?: boolean } = {},
  ): Promise<PutOutcome> {
    const name = coverFileName(releaseId, type);
    const { size, sha256 } = file;
    const change = {
      ...changeOf(releaseId, origin),
      file: { name, size, sha256 },
      gone: possibleFileNames(releaseId).filter((other) => other !== name),
    };
    let outcome: PutOutcome = 'stored';
    await this.#changes.publish(change, file, actor, async () => {
      outcome = await this.#outcomeOf(releaseId, origin, evenIfRemoved);
      return outcome === 'stored';
    });
    if (outcome === 'stored') await this.#invalidate(releaseId);
    return outcome;
  }

  /**
   * Removes the release's cover; does nothing when there is none. From then on, no cover from a
   * source or a disc image is stored until a user stores a cover.
   */
  async remove(releaseId: number, actor: Actor): Promise<void> {
    const change = { ...changeOf(releaseId, null), file: null, gone: possibleFileNames(releaseId) };
    await this.#changes.remove(change, actor);
    await this.#invalidate(releaseId);
  }

  /**
   * Publishes a bundle (a zip file of covers) next to the covers. Replaces a bundle of the same
   * name.
   */
  async putBundle(name: string, staged: StagedFile, actor: Actor): Promise<void> {
    const { size, sha256 } = staged;
    const file = { name, size, sha256 };
    const change = { target: `covers/${name}`, area: 'covers', file, gone: [], cover: null };
    await this.#changes.publish(change, staged, actor);
  }

  /**
   * Returns the ids of the releases that have a cover. Lists the folder each time;
   * `CoveredReleases` caches the ids.
   */
  async releasesWithCover(): Promise<ReadonlySet<number>> {
    return new Set((await this.fileNamesByRelease()).keys());
  }

  /** Returns the file name of each release's cover, by release id. */
  fileNamesByRelease(): Promise<ReadonlyMap<number, string>> {
    return fileNamesByRelease(this.#area);
  }

  async #outcomeOf(
    releaseId: number,
    origin: CoverOrigin | null,
    evenIfRemoved: boolean,
  ): Promise<PutOutcome> {
    if (origin === null) return 'stored';
    if (!evenIfRemoved && (await this.wasRemoved(releaseId))) return 'removed';
    return mayReplace(await this.originOf(releaseId), origin.kind) ? 'stored' : 'kept';
  }

  /** Discards the cached tags and the thumbnails of the previous cover. */
  async #invalidate(releaseId: number): Promise<void> {
    this.#tags.invalidate();
    await this.#thumbnails.drop(releaseId);
  }

  async #openNewest(releaseId: number): Promise<OpenedCover | null> {
    const found = await findCover(this.#area, releaseId);
    const file = found && (await this.#area.open(found.file.name));
    return found && file ? { file, type: found.type } : null;
  }
}

/**
 * The reserved target (`FileChange.target`) does not include the image type, because a release has
 * only one cover.
 */
function changeOf(releaseId: number, origin: CoverOrigin | null) {
  return { target: `cover/${releaseId}`, area: 'covers', cover: { releaseId, origin } };
}

/**
 * Yields the bytes of a source unchanged, and stores a copy of the first twelve bytes in `bytes`.
 */
class HeadRecorder implements AsyncIterable<Uint8Array> {
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
