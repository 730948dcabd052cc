import { openUserClient, UserClient } from '../../measure/user-client.ts';
import { noneOf, type Row } from '../row.ts';

const password = 'second password';

/**
 * Demotes two admins concurrently, each through a different instance. Checks that one admin
 * remains.
 */
export const demotions: Row = {
  name: 'demotions',
  async measure(scene) {
    const pair = await scene.openPair();
    const created = await pair.at(0).request('/api/users', {
      json: { username: 'second', password, role: 'admin' },
    });
    const first = 1;
    const second = (created.json as { id: number }).id;
    const asSecond = await openUserClient(pair.urlOf(1), 'second', password);
    const rounds = scene.times(150);
    let wrong = 0;
    for (let round = 0; round < rounds; round += 1) {
      const demote = (at: number, id: number) =>
        pair.at(at).request(`/api/users/${id}`, { method: 'PATCH', json: { role: 'editor' } });
      const [ofFirst, ofSecond] = await Promise.all([
        demote(round, first),
        demote(round + 1, second),
      ]);
      const isFirstLeft = ofSecond?.status === 200;
      if ((ofFirst?.status === 200) === isFirstLeft) wrong += 1;
      const remaining = isFirstLeft
        ? pair.at(round)
        : new UserClient(pair.urlOf(round), asSecond.token);
      const { json } = await remaining.request('/api/users');
      const admins = (json as { items: { role: string }[] }).items.filter(
        ({ role }) => role === 'admin',
      );
      if (admins.length !== 1) wrong += 1;
      const other = isFirstLeft ? second : first;
      const back = { method: 'PATCH', json: { role: 'admin' } };
      if ((await remaining.request(`/api/users/${other}`, back)).status !== 200) wrong += 1;
    }
    return [noneOf('rounds that did not leave one admin', wrong, rounds)];
  },
};
