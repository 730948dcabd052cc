import type { Reply } from './client.ts';

/** Path of the downloads, up to the name. */
const path = '/api/store/download/games/';
/**
 * Time within which an instance stores the record of a download, in milliseconds. An instance that
 * is killed earlier loses the record (docs/scaling.md, Rules for several instances).
 */
const storedWithinMs = 1_000;

/** A download that may have begun. */
interface Download {
  /** Times of the request and of its end, as values of `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** True if the archive arrived whole. */
  readonly isWhole: boolean;
}

/** The download records of a catalogue: the number for each name, and the highest id. */
export interface FoundDownloads {
  readonly counts: ReadonlyMap<string, number>;
  readonly newest: number;
}

/** Missing records, and surplus records. Each entry names one download. */
interface Differing {
  readonly lost: string[];
  readonly doubled: string[];
}

/** The downloads of a load, to be compared with the records of the catalogue. */
export class DownloadRecord {
  readonly #downloads = new Map<string, Download[]>();
  /** Number of lost or doubled records that were reported, by name. */
  readonly #reported = new Map<string, number>();
  #expected: FoundDownloads = { counts: new Map(), newest: 0 };
  #acknowledged = 0;

  /** Number of archives that arrived whole. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** The records that `compareCopy` expects. */
  get expected(): FoundDownloads {
    return this.#expected;
  }

  /** Records a download request that has ended. Ignores other requests and 4xx responses. */
  recordReply({ what, status, sentAt, endedAt }: Omit<Reply, 'headers' | 'bytes' | 'json'>): void {
    if (!what.startsWith(path) || (status >= 400 && status < 500)) return;
    const name = decodeURIComponent(what.slice(path.length));
    const isWhole = status === 200;
    if (isWhole) this.#acknowledged += 1;
    const all = this.#downloads.get(name) ?? [];
    all.push({ sentAt, endedAt, isWhole });
    this.#downloads.set(name, all);
  }

  /**
   * Compares the records of the catalogue with the downloads. `kills` contains the times at which
   * an instance was killed. Each difference is reported once.
   *
   * A record may be missing if the download has no complete response. It may also be missing if an
   * instance was killed during the download or within `storedWithinMs` after it. There may be a
   * second record for each download during which an instance was killed, because HAProxy may have
   * sent the request again.
   */
  compare(found: FoundDownloads, kills: readonly number[]): Differing {
    const [lost, doubled]: [string[], string[]] = [[], []];
    for (const { name, missing, surplus } of this.#differences(found, kills)) {
      lost.push(...Array<string>(missing).fill(`download of ${name}`));
      doubled.push(...Array<string>(surplus).fill(`download of ${name}`));
      this.#reported.set(name, (this.#reported.get(name) ?? 0) + surplus - missing);
    }
    return { lost, doubled };
  }

  /** Returns true if `compare` would report a missing record. */
  hasMissing(found: FoundDownloads, kills: readonly number[]): boolean {
    return this.#differences(found, kills).some(({ missing }) => missing > 0);
  }

  #differences({ counts }: FoundDownloads, kills: readonly number[]) {
    const names = new Set([...this.#downloads.keys(), ...counts.keys()]);
    return [...names].map((name) => {
      const all = this.#downloads.get(name) ?? [];
      const isLost = (each: Download) =>
        !each.isWhole || kills.some((kill) => isNotStored(each, kill));
      const mayBeRepeated = (each: Download) => kills.some((kill) => isDuring(each, kill));
      const min = all.length - all.filter(isLost).length;
      const max = all.length + all.filter(mayBeRepeated).length;
      const count = (counts.get(name) ?? 0) - (this.#reported.get(name) ?? 0);
      return { name, missing: Math.max(0, min - count), surplus: Math.max(0, count - max) };
    });
  }

  setExpected(found: FoundDownloads): void {
    this.#expected = found;
  }

  /**
   * Compares the records of a copy with the expected records. `counts` must not count newer
   * records.
   */
  compareCopy({ counts }: FoundDownloads): Differing {
    const [lost, doubled]: [string[], string[]] = [[], []];
    const expected = this.#expected.counts;
    for (const name of new Set([...expected.keys(), ...counts.keys()])) {
      const difference = (counts.get(name) ?? 0) - (expected.get(name) ?? 0);
      const list = difference < 0 ? lost : doubled;
      list.push(...Array<string>(Math.abs(difference)).fill(`download of ${name}`));
    }
    return { lost, doubled };
  }
}

/** Returns true if an instance that was killed at the time `kill` may have lost the record. */
function isNotStored({ sentAt, endedAt }: Download, kill: number): boolean {
  return sentAt < kill && endedAt > kill - storedWithinMs;
}

function isDuring({ sentAt, endedAt }: Download, kill: number): boolean {
  return sentAt < kill && endedAt > kill;
}
