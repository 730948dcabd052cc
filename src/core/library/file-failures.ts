// Errors that a `Disk` throws for a single file or root that cannot be used. Any other error that
// it throws is a bug, not the file's fault.

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
 * The content of a file is damaged, truncated or makes false statements; `message` is a sentence
 * about "it".
 */
export class DamagedImage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedImage';
  }
}

/**
 * The catalogue's own disk cannot hold what has to be unpacked to hash a file. This is not the
 * file's fault.
 */
export class OwnDiskFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OwnDiskFailure';
  }
}
