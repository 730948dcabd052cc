/** Gives `size` bytes, or fewer or an error of any kind when `packed` is damaged. */
export type Unpack = (packed: Buffer, size: number) => Buffer;
