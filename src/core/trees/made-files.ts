import { createHash } from 'node:crypto';
import type { Clock } from '../shared/clock.ts';
import { AbortableRuns } from '../shared/concurrency/abortable-runs.ts';
import { Limiter } from '../shared/concurrency/limiter.ts';
import { changedMeanwhile } from '../shared/errors.ts';
import type { TreeContents, TreeDownloads } from './ports.ts';
import type { GameNode, PictureNode } from './tree-node.ts';
import { WeightedCache } from './weighted-cache.ts';

/** A file whose bytes are made when they are needed: a picture, or a rewritten sheet. */
export type MadeNode = PictureNode | (GameNode & { readonly sheetNames: readonly string[] });

/** Number of files whose sizes are cached. */
const maxSizes = 100_000;
/** Time after which a file that could not be made is tried again, in milliseconds. */
const retryMs = 60_000;
/** Maximum number of cached bytes. They are cached because most files are listed and then read. */
const maxBytes = 16 * 1_048_576;
/**
 * Limits of pictures that are made at the same time, each with its cover in memory, and of those
 * that wait.
 */
const pictures = { atOnce: 2, maxWaiting: 50 };
/** Maximum size of a sheet, in bytes, as in a build. */
const maxSheetBytes = 2 ** 20;

/**
 * Makes pictures and sheets. Clients that need the same file at once share its making. The sizes
 * are cached, so that a list makes each file only once.
 */
export class MadeFiles {
  readonly #contents: TreeContents;
  readonly #downloads: Pick<TreeDownloads, 'open'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #sizes = new WeightedCache<number>(maxSizes);
  /** The time when a file could not be made. */
  readonly #failedAt = new WeightedCache<number>(maxSizes);
  readonly #bytes = new WeightedCache<Uint8Array>(maxBytes);
  readonly #making = new AbortableRuns<Uint8Array | null>();
  readonly #pictures = new Limiter(pictures.atOnce, { maxWaiting: pictures.maxWaiting });

  constructor(parts: {
    contents: TreeContents;
    downloads: Pick<TreeDownloads, 'open'>;
    clock: Pick<Clock, 'monotonic'>;
  }) {
    this.#clock = parts.clock;
    this.#contents = parts.contents;
    this.#downloads = parts.downloads;
  }

  /** Returns the size in bytes, or null if the file cannot be made. Throws the errors of `read`. */
  async sizeOf(node: MadeNode): Promise<number | null> {
    const key = keyOf(node);
    const size = this.#sizes.get(key);
    if (size !== undefined) return size;
    const failedAt = this.#failedAt.get(key);
    if (failedAt !== undefined && this.#clock.monotonic() - failedAt < retryMs) return null;
    return (await this.read(node))?.byteLength ?? null;
  }

  /**
   * Returns the bytes, or null if the file cannot be made. The making stops when all clients that
   * wait for it have left. Throws `changed meanwhile` if its source was changed, busy() if too many
   * pictures are being made, and the errors of `LibraryDownloads.open`.
   */
  read(node: MadeNode): Promise<Uint8Array | null> {
    const key = keyOf(node);
    const cached = this.#bytes.get(key);
    if (cached !== undefined) return Promise.resolve(cached);
    return this.#making.get(key, (signal) => this.#make(node, key, signal));
  }

  async #make(node: MadeNode, key: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const bytes =
      node.kind === 'picture'
        ? await this.#pictures.run(() => this.#contents.readPicture(node.source), { signal })
        : await this.#readSheet(node);
    if (bytes === null) {
      this.#failedAt.set(key, this.#clock.monotonic(), 1);
      return null;
    }
    this.#sizes.set(key, bytes.byteLength, 1);
    this.#bytes.set(key, bytes, bytes.byteLength);
    return bytes;
  }

  async #readSheet(node: MadeNode & { kind: 'game' }): Promise<Uint8Array | null> {
    if (node.size > maxSheetBytes) return null;
    const { file } = await this.#downloads.open(node.id);
    try {
      if (file.size !== node.size || file.mtimeNs !== node.mtimeNs) throw changedMeanwhile();
      const bytes = new Uint8Array(node.size);
      for (let at = 0; at < bytes.length; ) {
        const count = await file.read(bytes.subarray(at), at);
        if (count === 0) throw changedMeanwhile();
        at += count;
      }
      return this.#contents.rewriteSheet(bytes, node.sheetNames);
    } finally {
      await file.close();
    }
  }
}

/** Returns a text that is the same only for files with the same bytes. */
export function keyOf(node: MadeNode): string {
  if (node.kind === 'picture') {
    const { tag, place } = node.source;
    return `${tag} ${place.format} ${place.maxWidth}x${place.maxHeight}`;
  }
  const names = createHash('sha1').update(JSON.stringify(node.sheetNames)).digest('base64url');
  return `${node.id} ${node.size} ${node.mtimeNs} ${names}`;
}
