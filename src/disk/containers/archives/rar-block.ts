/** What a block of a RAR says, as far as it matters here. */
export type RarBlock =
  | { readonly kind: 'volume' }
  /** What is behind it is encrypted, names included. */
  | { readonly kind: 'locked' }
  | RarFile;

export interface RarFile {
  readonly kind: 'file';
  readonly name: string;
  readonly size: number;
  /** Null when it is not stated, or disguised by a password. */
  readonly crc32: number | null;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /** A link, or a file that begins or ends in another volume. */
  readonly isElsewhere: boolean;
  readonly isStored: boolean;
  /** In bytes. */
  readonly dictionary: number;
  /** Where the packed bytes lie. */
  readonly start: number;
  readonly packedSize: number;
}
