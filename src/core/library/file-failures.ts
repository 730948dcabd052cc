// Errors that a `Disk` throws when a file or root cannot be used. Any other error from a `Disk` is
// a bug.

/**
 * Thrown when the OS cannot open or read a file or folder. `message` is the error text of the OS.
 */
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
 * Thrown when the content of a file is damaged, truncated or contradictory. `message` is a sentence
 * that refers to the file as "it".
 */
export class DamagedImage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedImage';
  }
}

/**
 * Thrown when unpacking a file for hashing fails on the catalogue's own disk, for example because
 * that disk is full. The file itself is not at fault.
 */
export class SpoolDiskFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SpoolDiskFailure';
  }
}
