import { lstat, readdir, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FactsPrecision } from '../../core/builds/build-entry.ts';
import type { TargetFileSystem } from '../../core/builds/ports.ts';
import { isGone } from '../local/disk-error.ts';

// File systems by `f_type` of statfs(2).
const fat = 0x4d44;
const exfat = 0x2011bab0;
const btrfs = 0x9123683e;
const xfs = 0x58465342;
/**
 * File systems whose inode numbers may change: FAT, exFAT, FUSE (also NTFS and exFAT on older
 * systems), CIFS and SMB.
 */
const withoutInodes: readonly number[] = [fat, exfat, 0x65735546, 0xff534d42, 0xfe534d42, 0x517b];

/** The properties of the file system of a folder. */
export interface TargetDisk {
  readonly fileSystem: TargetFileSystem;
  readonly precision: FactsPrecision;
  /** True if names that differ only in case denote the same file. */
  readonly ignoresCase: boolean;
  /** True if files can share their blocks. */
  readonly hasReflinks: boolean;
  readonly freeBytes: number;
  /** `f_type` of statfs(2). */
  readonly type: number;
  readonly dev: number;
}

/** Returns true if files in `folder` may share blocks with files on `disk`. */
export async function mayClone(folder: string, disk: TargetDisk): Promise<boolean> {
  if (!disk.hasReflinks) return false;
  const source = await diskOf(folder);
  // Each subvolume of a Btrfs file system has its own device number.
  return source.dev === disk.dev || (source.type === btrfs && disk.type === btrfs);
}

/** Reads the properties of a folder's file system. The folder may be missing. */
export async function diskOf(folder: string): Promise<TargetDisk> {
  try {
    const { type, bavail, bsize } = await statfs(folder);
    const { dev } = await stat(folder);
    const properties = propertiesOf(type >>> 0);
    return {
      ...properties,
      ignoresCase: properties.fileSystem !== 'posix' || (await ignoresCase(folder)),
      ...{ type: type >>> 0, dev, freeBytes: bavail * bsize },
    };
  } catch (error) {
    if (!isGone(error) || folder === dirname(folder)) throw error;
    return diskOf(dirname(folder));
  }
}

/**
 * Returns true if names in a folder ignore case, such as on SMB, or on ext4 with `casefold`. Tests
 * this by looking up one name with its case changed: that of an entry, or else of the folder
 * itself.
 */
async function ignoresCase(folder: string): Promise<boolean> {
  const name = (await readdir(folder)).find(
    (each) => /^[ -~]+$/.test(each) && each !== each.toUpperCase(),
  );
  const [above, own] = name === undefined ? [dirname(folder), basename(folder)] : [folder, name];
  const other = own === own.toUpperCase() ? own.toLowerCase() : own.toUpperCase();
  if (other === own) return false;
  const stats = [own, other].map((each) => lstat(join(above, each)).catch(() => null));
  const [one, same] = await Promise.all(stats);
  return one?.dev === same?.dev && one?.ino === same?.ino && !!one;
}

/**
 * Returns the properties of a file system by its `f_type`. File systems without stable inode
 * numbers get the precision of FAT, which stores times in steps of 2 s.
 */
export function propertiesOf(
  type: number,
): Pick<TargetDisk, 'fileSystem' | 'precision' | 'hasReflinks'> {
  const hasInodes = !withoutInodes.includes(type);
  return {
    fileSystem: type === fat ? 'fat32' : type === exfat ? 'exfat' : 'posix',
    precision: { hasInodes, timeStepNs: hasInodes ? 1n : 2_000_000_000n },
    hasReflinks: type === btrfs || type === xfs,
  };
}
