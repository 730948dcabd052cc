/**
 * Unpacks `packed` and returns `size` bytes. The result may, but need not, be in `into`, a buffer
 * of `size` bytes. For damaged data, returns fewer bytes or throws an error of any kind.
 */
export type Unpack = (packed: Buffer, size: number, into: Buffer) => Buffer;
