import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FactsPrecision } from '../../core/builds/build-entry.ts';
import type { TargetFileSystem } from '../../core/builds/ports.ts';
import { isGone } from '../local/disk-error.ts';

// File systems by `f_type` of statfs(2).
const fat = 0x4d44;
const exfat = 0x2011bab0;
const btrfs = 0x9123683e;
const xfs = 0x58465342;
/** FUSE (also NTFS and exFAT on older systems), CIFS and SMB: their inode numbers may change. */
const withoutInodes: readonly number[] = [fat, exfat, 0x65735546, 0xff534d42, 0xfe534d42, 0x517b];

/** The properties of the file system of a folder. */
export interface TargetDisk {
  readonly fileSystem: TargetFileSystem;
  readonly precision: FactsPrecision;
  /** True if files can share their blocks. */
  readonly hasReflinks: boolean;
  readonly freeBytes: number;
}

/** Reads the properties of a folder's file system. The folder may be missing. */
export async function diskOf(folder: string): Promise<TargetDisk> {
  try {
    const { type, bavail, bsize } = await statfs(folder);
    return { ...propertiesOf(type >>> 0), freeBytes: bavail * bsize };
  } catch (error) {
    if (!isGone(error) || folder === dirname(folder)) throw error;
    return diskOf(dirname(folder));
  }
}

/** Returns the properties of a file system by its type. FAT stores times in steps of 2 s. */
export function propertiesOf(type: number): Omit<TargetDisk, 'freeBytes'> {
  const hasInodes = !withoutInodes.includes(type);
  return {
    fileSystem: type === fat ? 'fat32' : type === exfat ? 'exfat' : 'posix',
    precision: { hasInodes, timeStepNs: hasInodes ? 1n : 2_000_000_000n },
    hasReflinks: type === btrfs || type === xfs,
  };
}
