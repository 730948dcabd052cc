import type { Client } from './client.ts';
import type { WriteRecord } from './record.ts';
import type { Site } from './site.ts';

/** The parameters of one turn of a client. */
export interface Turn {
  readonly site: Site;
  readonly client: Client;
  readonly record: WriteRecord;
  /** Index of the client among the clients that do the same work. */
  readonly number: number;
  /** Number of the turn, which is unique in the whole run. */
  readonly turn: number;
  /** Records a read that returned a stale value. */
  readonly reportStale: (what: string) => void;
}
