import type { FoundFile } from '../../core/library/library-file.ts';

/**
 * Found files in the form in which one thread sends them to another: one array per field. The
 * receiving thread copies a few long arrays much faster than one object per file.
 */
export interface FileColumns {
  readonly paths: readonly string[];
  readonly sizes: Float64Array<ArrayBuffer>;
  readonly mtimesNs: BigInt64Array<ArrayBuffer>;
  /**
   * Inode numbers as signed numbers. A file system may use all 64 bits, but a database stores only
   * signed numbers.
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

/** Returns the buffers that can be transferred to another thread instead of copied. */
export function buffersOf({ sizes, mtimesNs, inodes }: FileColumns): ArrayBuffer[] {
  return [sizes.buffer, mtimesNs.buffer, inodes.buffer];
}
