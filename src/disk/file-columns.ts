import type { FoundFile } from '../core/library/library-file.ts';

/**
 * Files as they cross from one thread to another: copying a few long columns costs a fraction of copying as many
 * objects, and the receiving thread has others to serve.
 */
export interface FileColumns {
  readonly paths: readonly string[];
  readonly sizes: Float64Array<ArrayBuffer>;
  readonly mtimesNs: BigInt64Array<ArrayBuffer>;
  /** As signed numbers, which is how a database can keep them; a file system may use all 64 bits. */
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

/** What need not be copied when it is sent. */
export function buffersOf({ sizes, mtimesNs, inodes }: FileColumns): ArrayBuffer[] {
  return [sizes.buffer, mtimesNs.buffer, inodes.buffer];
}
