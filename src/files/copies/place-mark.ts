import { open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { refused } from '../../core/shared/errors.ts';
import { isAbandoned, ownerMark } from '../owner.ts';

/**
 * Interval in milliseconds at which the time of a mark is renewed. A mark that was not renewed for
 * a day is considered abandoned.
 */
const TOUCH_MS = 60 * 60_000;

/** Identifies the marks of a place: files in the folder whose names start with the prefix. */
interface MarkedPlace {
  readonly folder: string;
  readonly prefix: string;
}

/**
 * A file that shows that this process works at a place. No other process may work there at the same
 * time.
 */
export class PlaceMark {
  readonly #file: string;
  readonly #touching: NodeJS.Timeout;

  /**
   * Sets a mark. Throws refused() if another process has a mark there; the error message calls the
   * place `name`.
   */
  static async set(place: MarkedPlace, name: string): Promise<PlaceMark> {
    const own = `${place.prefix}${ownerMark()}`;
    const file = join(place.folder, own);
    await (await open(file, 'wx', 0o600)).close();
    try {
      // Search only after creating the own mark. So if two processes start at once, at least one
      // finds the other's mark.
      const [other] = (await marksAt(place)).filter((each) => each !== own);
      if (other === undefined) return new PlaceMark(file);
      throw refused(
        `another process copies or restores to ${name}: wait for its end (if there is none, remove ${join(place.folder, other)})`,
      );
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  private constructor(file: string) {
    this.#file = file;
    const touch = () => utimes(file, new Date(), new Date()).catch(() => undefined);
    this.#touching = setInterval(touch, TOUCH_MS).unref();
  }

  async remove(): Promise<void> {
    clearInterval(this.#touching);
    await rm(this.#file, { force: true });
  }
}

/** Returns the names of the marks whose processes may still be running. Removes all other marks. */
export async function marksAt({ folder, prefix }: MarkedPlace): Promise<string[]> {
  const living: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const found = await stat(join(folder, name)).catch(() => null); // the mark's process has ended
    if (found === null) continue;
    if (!isAbandoned(name.slice(prefix.length), found.mtimeMs)) living.push(name);
    else await rm(join(folder, name), { force: true });
  }
  return living;
}
