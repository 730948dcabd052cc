import { fetchJson } from '../responses.ts';

const list = '/api/releases';

/** A release and its offset in the list. */
export interface Sample {
  readonly id: number;
  readonly name: string;
  readonly offset: number;
}

/** Returns a hundred releases that are evenly spread over the list. */
export async function sampleReleases(url: string): Promise<Sample[]> {
  const { total } = await fetchJson<{ total: number }>(url, `${list}?limit=1&include=total`);
  const samples: Sample[] = [];
  for (let i = 0; i < 100; i += 1) {
    const offset = Math.floor((i * total) / 100);
    const path = `${list}?limit=1&offset=${offset}`;
    const { items } = await fetchJson<{ items: { id: number; name: string }[] }>(url, path);
    for (const { id, name } of items) samples.push({ id, name, offset });
  }
  return samples;
}

/** Returns the longest word of a name, which is a likely search word. */
export function wordOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [name];
  return words.reduce((best, word) => (word.length > best.length ? word : best));
}
