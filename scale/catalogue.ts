import { join } from 'node:path';
import { generateDats } from '../measure/dats.ts';
import type { Pair } from './pair.ts';
import type { Scene } from './row.ts';

/** Imports `count` generated releases. Returns their ids in ascending order, at most 500. */
export async function importReleases(
  pair: Pair,
  { folder }: Pick<Scene, 'folder'>,
  count: number,
): Promise<number[]> {
  const files = await generateDats(join(folder, 'dats'), [count]);
  await pair.run(['import', ...files]);
  const { json } = await pair.at(0).request(`/api/releases?limit=${Math.min(count, 500)}`);
  return (json as { items: { id: number }[] }).items.map(({ id }) => id).sort((a, b) => a - b);
}
