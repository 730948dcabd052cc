// What a `Disk` throws for one file or root that cannot be used. Anything else that it throws is a bug and no fault of
// the file's.

/** The system cannot open or read it; the message is the system's. */
export class DiskFailure extends Error {
  /** The system's, such as `EIO`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'DiskFailure';
    this.code = code;
  }
}

/** The content of a file is damaged, cut or lies; the message is a sentence about "it". */
export class DamagedImage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedImage';
  }
}

/** The catalogue's own disk cannot take what has to be unpacked to hash a file, which is no fault of the file's. */
export class OwnDiskFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OwnDiskFailure';
  }
}
