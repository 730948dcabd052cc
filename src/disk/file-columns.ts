import type { FoundFile } from '../core/library/library-file.ts';

/**
 * Files in the form in which they are sent between threads. Copying a few long columns is much
 * cheaper than copying as many objects, and the receiving thread has other work to do.
 */
export interface FileColumns {
  readonly paths: readonly string[];
  readonly sizes: Float64Array<ArrayBuffer>;
  readonly mtimesNs: BigInt64Array<ArrayBuffer>;
  /**
   * Signed, because a database can only store signed numbers; a file system may use all 64 bits.
   */
  readonly inodes: BigInt64Array<ArrayBuffer>;
}

export function toColumns(files: readonly FoundFile[]): FileColumns {
  return {
    paths: files.map((file) => file.path),
    sizes: Float64Array.from(files, (file) => file.size),
    mtimesNs: BigInt64Array.from(files, (file) => file.mtimeNs),
    inodes: BigInt64Array.from(files, (file) => file.inode),
  };
}

export function fromColumns({ paths, sizes, mtimesNs, inodes }: FileColumns): FoundFile[] {
  return paths.map((path, i) => ({
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    size: sizes[i] as number,
    mtimeNs: mtimesNs[i] as bigint,
    inode: inodes[i] as bigint,
  }));
}

/** Returns the buffers that can be transferred instead of copied. */
export function buffersOf({ sizes, mtimesNs, inodes }: FileColumns): ArrayBuffer[] {
  return [sizes.buffer, mtimesNs.buffer, inodes.buffer];
}
