import { noneOf, type Row } from '../row.ts';

/**
 * Sends 30 concurrent logins with wrong passwords, alternating between both instances. Checks that
 * exactly 10 are tried and the others are refused.
 */
export const logins: Row = {
  name: 'logins',
  async measure(scene) {
    const pair = await scene.openPair();
    const rounds = scene.times(15);
    let wrong = 0;
    for (let round = 0; round < rounds; round += 1) {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': `192.0.2.${round + 1}`,
      };
      const body = JSON.stringify({ username: 'admin', password: 'wrong' });
      const statuses = await Promise.all(
        Array.from({ length: 30 }, async (_, turn) => {
          const url = `${pair.urlOf(turn)}/api/auth/login`;
          const response = await fetch(url, { method: 'POST', headers, body });
          await response.text();
          return response.status;
        }),
      );
      const tried = statuses.filter((status) => status === 401).length;
      const refused = statuses.filter((status) => status === 429).length;
      if (tried !== 10 || refused !== 20) wrong += 1;
    }
    return [noneOf('rounds in which the number of tries was not 10', wrong, rounds)];
  },
};
