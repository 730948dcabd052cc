import type { ReleaseFilter, ReleaseQuery } from '../../src/core/releases/ports.ts';
import type { Actor } from '../../src/core/shared/actor.ts';
import { SqlReleaseRecords } from '../../src/sql/releases.ts';
import type { engines } from './engines.ts';
import { addReleases, type ReleaseRow } from './release-rows.ts';
import { steppingClock, useEngine } from './use-engine.ts';

export const actor: Actor = { kind: 'user', userId: 7, username: 'änn', address: '::1' };
/** A filter that matches every release. */
export const everything: ReleaseFilter = {
  system: '',
  q: '',
  search: '',
  platform: '',
  region: '',
};

/**
 * Releases of both systems, with and without a platform. Some names contain characters that a
 * search could misinterpret.
 */
export const collection: ReleaseRow[] = [
  { name: 'Lumines (Japan)', serial: 'ULJS-19005', region: 'Japan', platform: 'Sony - PSP' },
  { name: 'Lumines (USA, Europe)', region: 'USA, Europe', platform: 'Sony - PSP' },
  { name: 'Ōkami - 大神 (Japan)', serial: 'SLPM-66375', region: 'Japan', platform: 'Sony - PS2' },
  { name: '桃太郎電鉄 12 (Japan)', region: 'Japan,Asia', platform: 'Sony - PS2' },
  { name: '100% Pure \\ _Best_ (World)', region: 'World', system: 'videos' },
  { name: '1000 Miles', system: 'videos' },
  { name: "O'Neil's \u{1F3AE} Quiz", region: 'usa', system: 'videos', platform: 'UMD' },
];

/** Opens a new database with these releases. Returns its records, and shortcuts to query them. */
export async function useReleases(
  open: (typeof engines)[number]['open'],
  rows: readonly ReleaseRow[] = collection,
) {
  const engine = await useEngine(open);
  const ids = await addReleases(engine, rows);
  const records = new SqlReleaseRecords({ engine, clock: steppingClock() });
  const list = (query: Partial<ReleaseQuery> = {}) =>
    records.list({ ...everything, limit: 100, offset: 0, ...query });
  const names = async (query: Partial<ReleaseQuery> = {}) =>
    (await list(query)).map(({ name }) => name);
  const id = (name: string) => ids[rows.findIndex((row) => row.name.startsWith(name))] ?? 0;
  return { engine, records, ids, list, names, id };
}
