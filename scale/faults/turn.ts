import type { Client } from './client.ts';
import type { WriteRecord } from './record.ts';
import type { Site } from './site.ts';

/** One client of the load at its next turn. */
export interface Turn {
  readonly site: Site;
  readonly client: Client;
  readonly record: WriteRecord;
  /** Number of the client among those that do the same. */
  readonly number: number;
  /** Number of the turn, which no other turn of the whole run has. */
  readonly turn: number;
  /** Notes a read that shows an older state than it may. */
  readonly noteStale: (what: string) => void;
}
