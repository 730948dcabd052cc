import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '../support/tools.ts';

/** The files of one disc. */
export interface Made {
  /** Contents by extension; the first file is the disc, the others are those it needs. */
  readonly files: Readonly<Record<string, Buffer>>;
  /**
   * The content that DATs list: the unpacked image or the track. Null if only a tool unpacks it.
   */
  readonly image: Buffer | null;
  /** Size of the image in bytes, or null if the file does not state it. */
  readonly size: number | null;
}

export interface Format {
  readonly label: string;
  readonly platform: string;
  readonly tools: readonly Tool[];
  /** The serial for a number, as DATs print it; null for a format that states none. */
  readonly serial: ((n: number) => string) | null;
  /** The hash stated by the container that matches a known dump before hashing. */
  readonly stated?: 'sha1' | 'crc32';
  /** Number of its files that are never hashed. */
  readonly neverHashed?: number;
  /** Whether the named file as a whole differs from all ROMs of the release. */
  readonly hasNoName?: (name: string) => boolean;
  /** Whether the serial is known only after unpacking everything. */
  readonly isLate?: boolean;
  /**
   * Makes a distinct disc for each number from 100 to 999. Sheets name the other file by `name`.
   */
  make(n: number, name: string): Made;
}

/** A format of a PlayStation, the first one unless `of` names another; xorriso makes the images. */
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

/** A format that needs no tool. */
export const own = (
  label: string,
  platform: string,
  serial: Format['serial'],
  make: Format['make'],
) => ({ label, platform, tools: [], serial, make }) satisfies Format;

/** A file that holds the image as it is. */
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

/** Runs a tool on these files in a folder; `image` is the content that DATs list. */
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

/** Returns the result of work in a temporary folder, which is removed afterwards. */
export function inFolder<Result>(use: (work: string) => Result): Result {
  const work = mkdtempSync(join(tmpdir(), 'catalog-format-'));
  try {
    return use(work);
  } finally {
    rmSync(work, { recursive: true });
  }
}
