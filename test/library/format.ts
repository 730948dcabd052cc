import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '../support/tools.ts';

/** The files of one disc. */
export interface Made {
  /** By ending; the first is the disc, the others are what it needs beside it. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** What DATs list of it: the image inside a packed file, the track beside a sheet. Null where only a tool unpacks it. */
  readonly image: Buffer | null;
  /** Bytes of the image, as far as the file tells; null when it does not. */
  readonly size: number | null;
}

export interface Format {
  readonly label: string;
  readonly platform: string;
  readonly tools: readonly Tool[];
  /** As DATs print it, for the number; null for a format that states none. */
  readonly serial: ((n: number) => string) | null;
  /** How a dump that the DAT knows is found before anything was hashed: by what the container states. */
  readonly stated?: 'sha1' | 'crc32';
  /** How many of its files are never hashed. */
  readonly neverHashed?: number;
  /** Whether none of the release's ROMs is what a file is as a whole, by its name. */
  readonly hasNoName?: (name: string) => boolean;
  /** Whether the serial is known only when everything was unpacked. */
  readonly isLate?: boolean;
  /** A disc of its own for each number from 100 to 999. Sheets name the file beside them by `name`. */
  make(n: number, name: string): Made;
}

/** Of a PlayStation, the first one or that which `of` tells; xorriso makes its images. */
export const sony = (
  label: string,
  serial: Format['serial'],
  make: Format['make'],
  of = '',
): Format => ({
  label,
  platform: `Sony - PlayStation${of}`,
  tools: ['xorriso'],
  serial,
  make,
});

/** The `of` of a PSP. */
export const onPsp = ' Portable';

/** One that no program is needed for. */
export const own = (
  label: string,
  platform: string,
  serial: Format['serial'],
  make: Format['make'],
) => ({ label, platform, tools: [], serial, make }) satisfies Format;

/** A file with the image as it is. */
export const plain = (image: Buffer, ending = '.iso'): Made => ({
  files: { [ending]: image },
  image,
  size: image.length,
});

/** A file in which the image is packed. */
export const packed = (image: Buffer, pack: (image: Buffer) => Buffer, ending: string): Made => ({
  files: { [ending]: pack(image) },
  image,
  size: image.length,
});

/** What a tool makes of files in a folder, of which `image` is what DATs list. */
export function packedBy(
  files: Readonly<Record<string, Buffer>> & { image: Buffer },
  run: (to: string) => void,
  ending = '.chd',
): Made {
  return inFolder((work) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(work, name), content);
    const to = join(work, `out${ending}`);
    run(to);
    return packed(files.image, () => readFileSync(to), ending);
  });
}

/** A sheet and the one track that it names. */
export const cue = (track: Buffer, name: string, mode: string): Made => ({
  files: {
    '.cue': Buffer.from(
      `FILE "${name}.bin" BINARY\r\n  TRACK 01 ${mode}\r\n    INDEX 01 00:00:00\r\n`,
    ),
    '.bin': track,
  },
  image: track,
  size: track.length,
});

/** What is made in a folder that is gone afterwards. */
export function inFolder<Result>(use: (work: string) => Result): Result {
  const work = mkdtempSync(join(tmpdir(), 'catalog-format-'));
  try {
    return use(work);
  } finally {
    rmSync(work, { recursive: true });
  }
}
