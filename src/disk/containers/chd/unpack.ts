/**
 * Unpacks `packed` to `size` bytes, which may be written to `into`, a buffer of that length.
 * Damaged data gives fewer bytes or an error of any kind.
 */
export type Unpack = (packed: Buffer, size: number, into: Buffer) => Buffer;
