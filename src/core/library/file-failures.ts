// Errors that a `Disk` throws when a single file or root cannot be used. Any other error from a
// `Disk` is a bug.

/** The OS could not open or read the file; `message` is the OS error text. */
export class DiskFailure extends Error {
  /** The OS error code, such as `EIO`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'DiskFailure';
    this.code = code;
  }
}

/**
 * The content of a file is damaged, truncated or contradicts itself. `message` is a sentence that
 * calls the file "it".
 */
export class DamagedImage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedImage';
  }
}

/**
 * The catalogue's own disk has no room to unpack a file for hashing. The file itself is not at
 * fault.
 */
export class OwnDiskFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OwnDiskFailure';
  }
}
