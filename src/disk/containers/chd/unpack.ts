/**
 * Gives `size` bytes, or fewer or an error of any kind when `packed` is damaged; they may be made in `into`, which is as
 * long.
 */
export type Unpack = (packed: Buffer, size: number, into: Buffer) => Buffer;
