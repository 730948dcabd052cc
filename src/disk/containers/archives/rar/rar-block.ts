/** A block of a RAR archive, with the fields that are needed to list the files. */
export type RarBlock =
  | { readonly kind: 'volume' }
  /** Everything after this block is encrypted, including the file names. */
  | { readonly kind: 'locked' }
  | RarFile;

export interface RarFile {
  readonly kind: 'file';
  readonly name: string;
  readonly size: number;
  /**
   * CRC-32 of the unpacked file. Null if the archive states no CRC-32, or states a value that
   * depends on the password.
   */
  readonly crc32: number | null;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /**
   * True if the archive does not contain the complete content. The entry is a link, begins or ends
   * in another volume, or has an unknown size.
   */
  readonly isElsewhere: boolean;
  readonly isStored: boolean;
  /** Dictionary size, in bytes. */
  readonly dictionary: number;
  /** Offset of the packed bytes in the archive. */
  readonly start: number;
  readonly packedSize: number;
}
