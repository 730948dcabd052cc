import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from '../../support/tools.ts';

/** The files that make up one disc. */
export interface Made {
  /**
   * Contents by file extension. The first file is the disc. Reading the disc needs the other files.
   */
  readonly files: Readonly<Record<string, Buffer>>;
  /**
   * The content that DATs list: the unpacked image or the track. Null if only a tool can unpack it.
   */
  readonly image: Buffer | null;
  /** Size of the image in bytes; null if the file does not state it. */
  readonly size: number | null;
}

export interface Format {
  readonly label: string;
  readonly platform: string;
  readonly tools: readonly Tool[];
  /** Returns the serial for a number, as DATs print it. Null for a format that states no serial. */
  readonly serial: ((n: number) => string) | null;
  /** The hash in the container that matches a known dump before hashing. */
  readonly stated?: 'sha1' | 'crc32';
  /** Number of files of the format that are never hashed. */
  readonly neverHashed?: number;
  /** Returns true if the named file as a whole differs from all ROMs of the release. */
  readonly hasNoName?: (name: string) => boolean;
  /** True if the serial is known only after the whole file was unpacked. */
  readonly isLate?: boolean;
  /**
   * Makes a disc for a number from 100 to 999. Discs for different numbers differ. Sheets refer to
   * the other file by `name`.
   */
  make(n: number, name: string): Made;
}

/**
 * Returns a format of a PlayStation. xorriso makes the images. `of` selects the console; the
 * default is the first PlayStation.
 */
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

/** The value of `of` for a PSP. */
export const onPsp = ' Portable';

/** Returns a format for which no tool is needed. */
export const own = (
  label: string,
  platform: string,
  serial: Format['serial'],
  make: Format['make'],
) => ({ label, platform, tools: [], serial, make }) satisfies Format;

/** Returns a file that contains the image unchanged. */
export const plain = (image: Buffer, ending = '.iso'): Made => ({
  files: { [ending]: image },
  image,
  size: image.length,
});

/** Returns a file that contains the packed image. */
export const packed = (image: Buffer, pack: (image: Buffer) => Buffer, ending: string): Made => ({
  files: { [ending]: pack(image) },
  image,
  size: image.length,
});

/** Writes the files to a folder and runs a tool there. `image` is the content that DATs list. */
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

/** Returns a cue sheet and its only track. */
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

/** Runs `use` with a temporary folder and returns its result. The folder is removed afterwards. */
export function inFolder<Result>(use: (work: string) => Result): Result {
  const work = mkdtempSync(join(tmpdir(), 'catalog-format-'));
  try {
    return use(work);
  } finally {
    rmSync(work, { recursive: true });
  }
}
