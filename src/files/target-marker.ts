import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refusedInUse } from '../core/shared/errors.ts';
import { isAbandoned, ownerMark } from './process-mark.ts';

/** The times that decide when a mark counts as abandoned. */
interface MarkerTimes {
  /** Interval in milliseconds at which the modification time of a mark is renewed. */
  readonly renewMs: number;
  /** Milliseconds without renewal after which a mark is considered abandoned. */
  readonly abandonedMs: number;
}

const copyTimes: MarkerTimes = { renewMs: 60 * 60_000, abandonedMs: 24 * 60 * 60_000 };

/** Identifies the marks of one target: the files in `folder` whose names start with `prefix`. */
interface MarkerLocation {
  readonly folder: string;
  readonly prefix: string;
  /** The default is to renew a mark each hour, and to treat it as abandoned after a day. */
  readonly times?: MarkerTimes;
}

/**
 * A file that shows that this process is working on a target. No other process may work on the
 * target at the same time.
 */
export class TargetMarker {
  readonly #file: string;
  readonly #touching: NodeJS.Timeout;

  /**
   * Creates a mark. Throws refusedInUse() if another process has a mark for the same target. The
   * error message says what that process is `doing`.
   */
  static async set(place: MarkerLocation, doing: string): Promise<TargetMarker> {
    const own = `${place.prefix}${ownerMark()}`;
    const file = join(place.folder, own);
    await (await open(file, 'wx', 0o600)).close();
    try {
      // Search for other marks only after creating this one. If two processes start at once, at
      // least one of them then finds the other's mark.
      const [other] = await findActiveMarkers({ ...place, own });
      if (other === undefined) return new TargetMarker(file, place.times ?? copyTimes);
      throw refusedInUse(
        `another process is ${doing}: wait until it ends (if there is none, remove ${join(place.folder, other)})`,
      );
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  private constructor(file: string, { renewMs }: MarkerTimes) {
    this.#file = file;
    this.#touching = setInterval(() => void renew(file).catch(() => undefined), renewMs).unref();
  }

  async remove(): Promise<void> {
    clearInterval(this.#touching);
    await rm(this.#file, { force: true });
  }
}

/**
 * Updates the modification time of a mark by writing to it. Unlike `utimes`, this does not require
 * owning the file.
 */
async function renew(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write('.', 0);
  } finally {
    await handle.close();
  }
}

/**
 * Returns the names of the marks whose processes may still be running, except `own`. Removes all
 * other marks. The modification time of `own`, which is new, serves as the current time, because
 * the clock of a file server may differ.
 */
export async function findActiveMarkers({
  folder,
  prefix,
  times: { abandonedMs: maxAgeMs } = copyTimes,
  own,
}: MarkerLocation & { readonly own?: string }): Promise<string[]> {
  const living: string[] = [];
  const now = own === undefined ? Date.now() : (await stat(join(folder, own))).mtimeMs;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own) continue;
    const found = await stat(join(folder, name)).catch(() => null); // the mark was just removed
    if (found === null) continue;
    const isOver = isAbandoned(name.slice(prefix.length), found.mtimeMs, { maxAgeMs, now });
    if (!isOver) living.push(name);
    else await rm(join(folder, name), { force: true });
  }
  return living;
}
