/** A block of a RAR, with the fields that are needed to list the files. */
export type RarBlock =
  | { readonly kind: 'volume' }
  /** Says that everything after this block is encrypted, including the names. */
  | { readonly kind: 'locked' }
  | RarFile;

export interface RarFile {
  readonly kind: 'file';
  readonly name: string;
  readonly size: number;
  /**
   * CRC-32 of the unpacked file; null if the archive does not state it, or states one that depends
   * on the password.
   */
  readonly crc32: number | null;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /**
   * Whether the content is not completely in this archive: a link, a file that begins or ends in
   * another volume, or one of unknown size.
   */
  readonly isElsewhere: boolean;
  readonly isStored: boolean;
  /** Dictionary size, in bytes. */
  readonly dictionary: number;
  /** Offset of the packed bytes in the archive. */
  readonly start: number;
  readonly packedSize: number;
}
