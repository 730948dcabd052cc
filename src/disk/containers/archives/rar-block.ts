/** The fields of a RAR block that matter here. */
export type RarBlock =
  | { readonly kind: 'volume' }
  /** Everything after this block is encrypted, including names. */
  | { readonly kind: 'locked' }
  | RarFile;

export interface RarFile {
  readonly kind: 'file';
  readonly name: string;
  readonly size: number;
  /** Null when it is not stated, or masked by a password. */
  readonly crc32: number | null;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /** Whether it is a link, or a file that begins or ends in another volume. */
  readonly isElsewhere: boolean;
  readonly isStored: boolean;
  /** Dictionary size, in bytes. */
  readonly dictionary: number;
  /** Offset of the packed bytes. */
  readonly start: number;
  readonly packedSize: number;
}
