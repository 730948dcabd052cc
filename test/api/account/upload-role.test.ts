import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { askAt, formPart, formType } from '../../support/ask.ts';
import { importGames } from '../../support/dats.ts';
import { eventually } from '../../support/eventually.ts';
import { makePerson } from '../../support/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, ['One']);
});
afterAll(() => app.close());

/** Sends all of an upload but its end, which `finish` does; that returns status and body of the answer. */
async function halfUpload(path: string, token: string) {
  const { hostname, port } = new URL(app.url);
  const part = formPart({ bytes: 'x'.repeat(100_000), filename: 'half.zip' });
  const end = `\r\n--${formType.split('boundary=')[1]}--\r\n`;
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
      `Content-Type: ${formType}\r\nContent-Length: ${part.length + end.length}\r\n\r\n`,
  );
  socket.write(part);
  return {
    async finish(): Promise<[number, unknown]> {
      socket.write(end);
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      return [Number(head.split(' ')[1]), JSON.parse(body)];
    },
  };
}

const tmp = () => readdir(join(app.data, 'tmp')).catch(() => []);
const stored = async () => {
  const folders = ['store/games', 'covers'].map((folder) => join(app.data, folder));
  return (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat();
};

const demoted = [403, { detail: 'forbidden' }];
const locked = [401, { detail: 'not authenticated' }];

test.each([
  ['demoted', '/api/store/upload', { role: 'user' }, demoted],
  ['demoted', '/api/cover/1', { role: 'user' }, demoted],
  ['deactivated', '/api/store/upload', { is_active: false }, locked],
  ['deactivated', '/api/cover/1', { is_active: false }, locked],
  ['deleted', '/api/store/upload', null, locked],
])(
  'who is %s while an upload to %s runs is refused at its end, and nothing is stored',
  async (...row) => {
    const [_what, path, change, refusal] = row;
    const { id, token } = await makePerson(app, 'editor');
    const upload = await halfUpload(path, token);
    expect(await eventually(tmp, ({ length }) => length === 1)).toHaveLength(1);
    const admin = { token: app.adminToken, ...(change === null ? {} : { json: change }) };
    const method = change === null ? 'DELETE' : 'PATCH';
    expect((await askAt(app.url)(method, `/api/users/${id}`, admin)).status).toBe(200);
    expect(await upload.finish()).toEqual(refusal);
    expect([await tmp(), await stored()]).toEqual([[], []]);
  },
);

test('who becomes an admin meanwhile is not refused', async () => {
  const { id, token } = await makePerson(app, 'editor');
  const upload = await halfUpload('/api/store/upload', token);
  await eventually(tmp, ({ length }) => length === 1);
  const json = { role: 'admin' };
  await askAt(app.url)('PATCH', `/api/users/${id}`, { token: app.adminToken, json });
  expect(await upload.finish()).toMatchObject([200, { ok: true }]);
});
