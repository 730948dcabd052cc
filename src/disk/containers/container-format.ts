import type { Draft } from '../draft.ts';
import type { ImageBytes } from '../image-bytes.ts';
import type { ImageFile, ReadBudget } from '../image-file.ts';

/**
 * The path of a file to identify. Reads of other files, such as the files that a sheet names, count
 * against `budget`.
 */
export interface FileContext {
  readonly path: string;
  readonly budget: ReadBudget;
}

/**
 * The images of a disc, each of which is hashed separately. `deciding` is the index of the image
 * that identifies the disc.
 */
export interface DiscImages {
  readonly tracks: readonly { readonly number: number; readonly isAudio: boolean }[];
  readonly images: readonly ImageBytes[];
  readonly deciding: number;
  /**
   * Compares the content with the header (see `ChdImages.findDamage`). Undefined for containers
   * that state no checksums.
   */
  findDamage?(sha1: string): Promise<string | null>;
}

/** The properties that every line in the table of containers may have. */
interface FormatBase {
  /**
   * Version of the reader. Increase the version by one whenever the reader returns more data or
   * different data. The files are then read again. The version of a new reader is 1. Null if the
   * container has no reader.
   */
  readonly version: number | null;
  /** Magic numbers as Latin-1 text. A file that starts with any of them has this container. */
  readonly magics?: readonly string[];
  /** Recognises a file by its first `HEAD` bytes, if a magic number is not enough. */
  readonly matchesHead?: (head: Buffer) => boolean;
  /** Recognises a file by its last 12 bytes. `size` is the size of the file in bytes. */
  readonly matchesEnd?: (tail: Buffer, size: number) => boolean;
  /**
   * Identifies a file in a folder. If this function is missing, the disc in the image from `open`
   * is identified, and the draft gets the size of that image.
   */
  readonly read?: (file: ImageBytes, draft: Draft, place: FileContext) => Promise<unknown>;
  /** Like `read`, but for a file in an archive, or for the first file of a split image. */
  readonly readInner?: (file: ImageBytes, draft: Draft) => Promise<unknown>;
}

/**
 * The property by which a packed image is recognised. At least one of these must be present.
 * `recognisedBy` is the name of the function that recognises the container by other means.
 */
export type Recognition =
  | { readonly magics: readonly [string, ...string[]] }
  | Required<Pick<FormatBase, 'matchesHead'>>
  | Required<Pick<FormatBase, 'matchesEnd'>>
  | { readonly recognisedBy: string };

/** Opens the disc in a file as an image. Returns null if the file does not contain sectors. */
type OpenImage = (file: ImageBytes) => Promise<ImageBytes | null>;

/** A container whose own bytes are hashed, or an archive, whose files are hashed. */
export interface PlainFormat extends FormatBase {
  readonly packed: false;
  readonly access?: undefined;
  /** If this function is missing, the file cannot be opened as an image. */
  readonly open?: OpenImage;
  readonly pieces?: undefined;
  readonly tracks?: undefined;
}

/** A packed image. The image inside is hashed. */
export type PackedFormat = ImageFormat | PiecesFormat | TracksFormat;

export type ContainerFormat = PackedFormat | PlainFormat;

/** A container whose tracks are not hashed separately. */
export type UndividedFormat = Exclude<ContainerFormat, TracksFormat>;

interface PackedFormatBase extends FormatBase {
  readonly packed: true;
  /**
   * How a packed image in an archive is read:
   * - `sequential`: while the member is unpacked. The index of the container must come first, and
   *   the blocks must follow in order.
   * - `random`: after the member was unpacked to a file.
   * - `alone`: not at all. The member's own bytes are hashed.
   */
  readonly access: 'sequential' | 'random' | 'alone';
  /**
   * Opens the first file of an image that is split into several files. `path` is the path of a
   * later file, which has no magic number. Returns null if the path is not that of a later file, or
   * if there is no first file. `readInner` then identifies the disc from the first file. This
   * property is null if such an image is never split, or only in the ways of `split-images.ts`.
   */
  readonly openFirstPart: ((path: string, budget: ReadBudget) => Promise<ImageFile | null>) | null;
}

/** A packed image that can be read at any offset. */
interface ImageFormat extends PackedFormatBase {
  /** Opens the image inside. The disc is identified in this image, and the image is hashed. */
  readonly open: (file: ImageBytes) => Promise<ImageBytes>;
  readonly pieces?: undefined;
  readonly tracks?: undefined;
}

/**
 * Either `open`, or a `read` that identifies the file if the packed image cannot be opened as an
 * image.
 */
type OpenOrRead =
  | { readonly open: OpenImage }
  | { readonly open: null; readonly read: NonNullable<FormatBase['read']> };

/** A packed image that is unpacked from the start to the end. */
type PiecesFormat = PackedFormatBase & {
  readonly access: 'random' | 'alone';
  /** Returns the image inside in pieces, for hashing. */
  readonly pieces: (file: ImageBytes) => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
  readonly tracks?: undefined;
} & OpenOrRead;

/** A packed image of several tracks. */
type TracksFormat = PackedFormatBase & {
  readonly access: 'random' | 'alone';
  readonly pieces?: undefined;
  /**
   * Opens the images of the tracks, which are hashed separately. With `verify`, the content is
   * compared with everything that the container states.
   */
  readonly tracks: (
    file: ImageBytes,
    options: { readonly verify?: boolean | undefined },
  ) => Promise<DiscImages>;
} & OpenOrRead;
