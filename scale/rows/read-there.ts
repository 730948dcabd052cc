import type { UserClient } from '../../measure/user-client.ts';
import { importReleases } from '../catalogue.ts';
import { noneOf, type Row } from '../row.ts';

/**
 * Checks that a write acknowledged by one instance is visible to the next request to the other
 * instance.
 */
export const readThere: Row = {
  name: 'read-there',
  async measure(scene) {
    const pair = await scene.openPair();
    const ids = await importReleases(pair, scene, 100);
    const writes = scene.times(1_000);
    let stale = 0;
    for (let turn = 0; turn < writes; turn += 1) {
      const kind = kinds[turn % kinds.length] as Kind;
      const id = ids[turn % ids.length] ?? 0;
      if (!(await kind(pair.at(turn), pair.at(turn + 1), turn, id))) stale += 1;
    }
    return [noneOf('writes that the other did not show', stale, writes)];
  },
};

/**
 * Writes through one instance and reads through the other. Resolves to true if the write was
 * visible.
 */
type Kind = (here: UserClient, there: UserClient, turn: number, id: number) => Promise<boolean>;

const kinds: readonly Kind[] = [
  async (here, there, turn, id) => {
    const json = { description: `text ${turn}` };
    await there.request(`/api/releases/${id}`); // the instance may now cache the response
    const { status } = await here.request(`/api/releases/${id}`, { method: 'PATCH', json });
    const read = (await there.request(`/api/releases/${id}`)).json as typeof json;
    return status === 200 && read.description === json.description;
  },
  async (here, there, turn, id) => {
    const json = { name: `Name ${turn}` };
    const search = `/api/releases?q=${encodeURIComponent(json.name)}`;
    await there.request(search);
    const { status } = await here.request(`/api/releases/${id}`, { method: 'PATCH', json });
    const { items } = (await there.request(search)).json as { items: { id: number }[] };
    return status === 200 && items.some((item) => item.id === id);
  },
  async (here, there, turn) => {
    const name = `archive ${turn % 50}.zip`;
    const { status } = await here.upload(name, new Uint8Array(100 + turn));
    const { items } = (await there.request('/api/store?system=games')).json as {
      items: { name: string; size: number }[];
    };
    return status === 200 && items.some((item) => item.name === name && item.size === 100 + turn);
  },
  async (here, there, turn) => {
    const username = `user ${turn}`;
    const json = { username, password: 'password of it', role: 'user' };
    const made = await here.request('/api/users', { json });
    const { items } = (await there.request('/api/users')).json as { items: { username: string }[] };
    const { id } = made.json as { id: number };
    const gone = await there.request(`/api/users/${id}`, { method: 'DELETE' });
    const left = (await here.request('/api/users')).json as { items: { username: string }[] };
    const isIn = (list: readonly { username: string }[]) =>
      list.some((item) => item.username === username);
    return made.status === 200 && gone.status < 300 && isIn(items) && !isIn(left.items);
  },
  async (here, there, _turn, id) => {
    const removed = await here.request(`/api/cover/${id}`, { method: 'DELETE' });
    const put = await here.putCover(id, smallCover);
    const { status } = await there.request(`/api/cover/${id}`);
    return removed.status > 0 && put.status === 200 && status === 200;
  },
];

const smallCover = new Uint8Array(500);
smallCover.set(Buffer.from('89504e470d0a1a0a', 'hex'));
