import { createHash } from 'node:crypto';
import type { Client, Reply } from './client.ts';
import { absent } from './record.ts';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the value of an item: `absent` if it does not exist, undefined for any other failure. */
export async function readItem(client: Client, item: string): Promise<string | null | undefined> {
  const space = item.indexOf(' ');
  const [kind, name] = [item.slice(0, space), item.slice(space + 1)];
  const path = pathOf(kind, name);
  const reply = await client.send(path);
  if (reply.status === 404) return absent;
  if (reply.status !== 200) return undefined;
  return valueIn(kind, name, reply);
}

function pathOf(kind: string, name: string): string {
  const encoded = encodeURIComponent(name);
  switch (kind) {
    case 'release':
      return `/api/releases/${encoded}`;
    case 'archive':
      return `/api/store/download/games/${encoded}`;
    case 'cover':
      return `/api/cover/${encoded}`;
    case 'user':
      return `/api/users`;
    default:
      return `/api/releases?limit=1&include=total&q=${encoded}`;
  }
}

function valueIn(kind: string, name: string, reply: Reply): string | null {
  if (kind === 'release') return (reply.json as { description: string }).description;
  if (kind === 'archive' || kind === 'cover') return sha256(reply.bytes);
  if (kind === 'user') {
    const { items } = reply.json as { items: { username: string }[] };
    return items.some(({ username }) => username === name) ? 'there' : absent;
  }
  return String((reply.json as { total: number }).total);
}
