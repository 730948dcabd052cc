import type { RomForm } from '../../core/library/identity.ts';
import type { ImageHashes, TrackedHashes } from '../../core/library/library-file.ts';
import { otherForms, type PlannedForm } from '../cartridges/forms.ts';
import { cartridgeFormat, HEAD } from '../cartridges/recognise.ts';
import type { Md5Thread } from './md5-thread.ts';
import { RunningHashes } from './running-hashes.ts';

/** Options for hashing a stream. */
export interface HashWatch {
  readonly signal?: AbortSignal;
  /**
   * Called with the length of every piece. The next piece is read only after the returned promise
   * resolves.
   */
  readonly onBytes?: (bytes: number) => unknown;
  /**
   * A thread that calculates the MD5 concurrently with the other hashes. If undefined, the current
   * thread calculates the MD5.
   */
  readonly md5?: Md5Thread | undefined;
  /** If true, checks the content against everything that the container states about the content. */
  readonly verify?: boolean | undefined;
}

/**
 * Hashes a stream without retaining its pieces. Throws the signal's reason if `signal` is aborted.
 */
export async function hashStream(
  pieces: AsyncIterable<Buffer>,
  { signal, onBytes, md5 }: HashWatch,
): Promise<ImageHashes> {
  const hashes = new RunningHashes(md5 === undefined);
  md5?.start();
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    const taken = md5?.update(piece);
    hashes.update(piece);
    await taken;
    await onBytes?.(piece.length);
  }
  const made = hashes.digest();
  return md5 === undefined ? made : { ...made, md5: await md5.digest() };
}

/**
 * Like `hashStream`, but for a stream of `size` bytes that may be the dump of a cartridge. If the
 * stream is in a cartridge format, `forms` contains the hashes of the dump's other forms, possibly
 * none. Otherwise `forms` is undefined.
 */
export async function hashDump(
  pieces: AsyncIterable<Buffer>,
  size: number,
  watch: HashWatch,
): Promise<TrackedHashes> {
  let forms: RunningForm[] | undefined;
  const piecesWithHead = withHead(pieces, (head) => {
    const format = cartridgeFormat(head, size);
    const others = format === null ? undefined : otherForms(format, head, size);
    forms = others?.map((planned) => new RunningForm(planned));
  });
  const hashes = await hashStream(
    (async function* () {
      for await (const piece of piecesWithHead) {
        yield piece;
        for (const form of forms ?? []) form.update(piece);
      }
    })(),
    watch,
  );
  return { ...hashes, forms: forms?.map((form) => form.end()) };
}

/**
 * Yields the stream unchanged, except that the first pieces are joined to a piece of at least
 * `HEAD` bytes. Calls `onHead` with the first bytes before it yields that piece.
 */
async function* withHead(pieces: AsyncIterable<Buffer>, onHead: (head: Buffer) => void) {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]); // copied, because `piece` will be overwritten
    if (start.length < HEAD) continue;
    onHead(start.subarray(0, HEAD));
    yield start;
    start = null;
  }
  if (start === null || start.length === 0) return;
  onHead(start);
  yield start;
}

class RunningForm {
  readonly #planned: PlannedForm;
  readonly #hashes = new RunningHashes();

  constructor(planned: PlannedForm) {
    this.#planned = planned;
  }

  update(piece: Buffer): void {
    for (const part of this.#planned.transform.transform(piece)) this.#hashes.update(part);
  }

  end(): RomForm {
    for (const part of this.#planned.transform.flush()) this.#hashes.update(part);
    return { form: this.#planned.form, ...this.#hashes.digest() };
  }
}
