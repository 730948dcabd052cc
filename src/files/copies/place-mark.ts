import { open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { refused } from '../../core/shared/errors.ts';
import { isAbandoned, ownerMark } from '../owner.ts';

/** A mark that nobody touched for a day counts as abandoned. */
const TOUCH_MS = 60 * 60_000;

/** Where marks of a place are: files of a folder with names that begin so. */
interface MarkedPlace {
  readonly folder: string;
  readonly prefix: string;
}

/** A file that says that this process works at a place, so that no other one does so at the same time. */
export class PlaceMark {
  readonly #file: string;
  readonly #touching: NodeJS.Timeout;

  /** Throws refused() while another process has one there; `name`: what the place is called then. */
  static async set(place: MarkedPlace, name: string): Promise<PlaceMark> {
    const own = `${place.prefix}${ownerMark()}`;
    const file = join(place.folder, own);
    await (await open(file, 'wx', 0o600)).close();
    try {
      // Looked for when the own one is there: of two that begin at once at least one finds the other.
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

/** The names of the marks of processes that may be there; removes those of others. */
export async function marksAt({ folder, prefix }: MarkedPlace): Promise<string[]> {
  const living: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const found = await stat(join(folder, name)).catch(() => null); // its process has ended meanwhile
    if (found === null) continue;
    if (!isAbandoned(name.slice(prefix.length), found.mtimeMs)) living.push(name);
    else await rm(join(folder, name), { force: true });
  }
  return living;
}
