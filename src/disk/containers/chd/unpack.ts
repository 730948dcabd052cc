/**
 * Unpacks `packed` and returns `size` bytes. `into` is a buffer of `size` bytes that may be used
 * for the result. If the data is damaged, returns fewer bytes or throws an error of any kind.
 */
export type Unpack = (packed: Buffer, size: number, into: Buffer) => Buffer;
