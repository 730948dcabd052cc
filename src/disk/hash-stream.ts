import type { RomForm } from '../core/library/identity.ts';
import type { ImageHashes, TrackedHashes } from '../core/library/library-file.ts';
import { otherForms, type PlannedForm } from './cartridges/forms.ts';
import { cartridgeFormat, HEAD } from './cartridges/recognise.ts';
import type { Md5Thread } from './md5-thread.ts';
import { RunningHashes } from './running-hashes.ts';

/** How the hashing of a stream is monitored and stopped. */
export interface HashWatch {
  readonly signal?: AbortSignal;
  /** Called with the length of every piece; the next piece waits for the returned promise. */
  readonly onBytes?: (bytes: number) => unknown;
  /** Calculates the MD5 concurrently with the other hashes, on another core. */
  readonly md5?: Md5Thread | undefined;
  /** Whether everything that a container states about its content is compared. */
  readonly verify?: boolean | undefined;
}

/** Hashes a stream without keeping its pieces. Throws the signal's reason when it is aborted. */
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
 * Like `hashStream`, for a stream that may be the dump of a cartridge. In that case `forms` has the
 * hashes of its other forms, possibly none. `size` is the size of the whole stream.
 */
export async function hashDump(
  pieces: AsyncIterable<Buffer>,
  size: number,
  watch: HashWatch,
): Promise<TrackedHashes> {
  let forms: RunningForm[] | undefined;
  const told = withHead(pieces, (head) => {
    const format = cartridgeFormat(head, size);
    const others = format === null ? undefined : otherForms(format, head, size);
    forms = others?.map((planned) => new RunningForm(planned));
  });
  const hashes = await hashStream(
    (async function* () {
      for await (const piece of told) {
        yield piece;
        for (const form of forms ?? []) form.take(piece);
      }
    })(),
    watch,
  );
  return { ...hashes, forms: forms?.map((form) => form.end()) };
}

/** Passes the stream on, with a first piece long enough for `onHead` to see the start. */
async function* withHead(pieces: AsyncIterable<Buffer>, onHead: (head: Buffer) => void) {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]); // a copy, because a piece is only valid for now
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

  take(piece: Buffer): void {
    for (const part of this.#planned.change.take(piece)) this.#hashes.update(part);
  }

  end(): RomForm {
    for (const part of this.#planned.change.end()) this.#hashes.update(part);
    return { form: this.#planned.form, ...this.#hashes.digest() };
  }
}
