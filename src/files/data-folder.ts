import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { refused } from '../core/shared/errors.ts';

// f_type of statfs(2).
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);
const FUSE = 0x65735546;

/**
 * Creates the data folder where missing, for this user only because the database in it holds password hashes.
 * Returns a warning for the log, or null. Refuses a folder that cannot be written or is on a network file system.
 */
export async function ensureDataFolder(
  path: string,
  typeOf: (path: string) => Promise<number> = async (folder) => (await statfs(folder)).type,
): Promise<string | null> {
  await prepare(path);
  const type = (await typeOf(path)) >>> 0; // signed on 32-bit systems
  const network = NETWORK.get(type);
  if (network !== undefined) {
    throw refused(
      `the data folder ${path} is on a network file system (${network}), where the database loses data: choose a local ` +
        'folder with --data (library roots and store may stay where they are)',
    );
  }
  if (type !== FUSE) return null;
  return `the data folder ${path} is on a FUSE file system: make sure that it is a local disk, the database loses data on others`;
}

async function prepare(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refused(`the data folder ${path} cannot be used: ${reason}`, error);
  }
}
