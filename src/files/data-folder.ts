import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { refused } from '../core/shared/errors.ts';

// Names of network file systems by `f_type` of statfs(2).
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);
const FUSE = 0x65735546;

/**
 * Creates the data folder if the folder is missing. Only the current user may access the new
 * folder, because the database contains password hashes. Returns a warning for the log, or null if
 * there is none. Throws refused() for a folder that is not writable or is on a network file system.
 */
export async function ensureDataFolder(
  path: string,
  typeOf: (path: string) => Promise<number> = async (folder) => (await statfs(folder)).type,
): Promise<string | null> {
  await prepare(path);
  const problem = fileSystemProblem(path, await typeOf(path));
  if (problem?.isRefused) throw refused(problem.message);
  return problem?.message ?? null;
}

/**
 * Returns the problem with a data folder on a file system of this type, or null if there is none.
 * `type` is the `f_type` of statfs(2).
 */
export function fileSystemProblem(
  path: string,
  type: number,
): { isRefused: boolean; message: string } | null {
  const unsigned = type >>> 0; // `f_type` is signed on 32-bit systems
  const network = NETWORK.get(unsigned);
  if (network !== undefined) {
    const message =
      `the data folder ${path} is on a network file system (${network}), where the database loses data: choose a local ` +
      'folder with --data (library roots and store may stay where they are)';
    return { isRefused: true, message };
  }
  if (unsigned !== FUSE) return null;
  const message = `the data folder ${path} is on a FUSE file system: make sure that it is a local disk, because on others the database loses data`;
  return { isRefused: false, message };
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
