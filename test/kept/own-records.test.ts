import { channel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnsweredRequest } from '../../src/http/shared/note-answers.ts';
import { createLog } from '../../src/log.ts';
import { PartRevisions } from '../../src/sql/part-revisions.ts';
import { connect } from '../http-shared/server.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makePerson, makeUser } from '../support/people.ts';
import { startWithAccounts } from './own-accounts.ts';
import { ask, neverTheSame } from './servers.ts';

let app: TestApp;
/** How often the framework's handlers ran. */
let handled = 0;
const count = () => {
  handled += 1;
};
const handlers = channel('tracing:fastify.request.handler:start');
beforeAll(async () => {
  app = await startTestApp();
  handlers.subscribe(count);
});
afterAll(async () => {
  handlers.unsubscribe(count);
  await app.close();
});
beforeEach(() => {
  handled = 0;
});

/** Sends this over a connection of its own; the whole answer but for its time. */
async function sent(url: string, request: string): Promise<string> {
  const { socket, closed } = connect(Number(new URL(url).port));
  socket.write(request);
  return (await closed).replace(/\r\nDate: [^\r]*/gi, '');
}

/** A server with what it logs and counts. */
async function startNoted(keeps: boolean, settings: object) {
  const lines: Record<string, unknown>[] = [];
  const figures: AnsweredRequest[] = [];
  const server = await startWithAccounts(
    app,
    (engine) => (keeps ? new PartRevisions(engine).of('accounts') : neverTheSame()),
    {
      ...settings,
      log: createLog('info', (line) => void lines.push(JSON.parse(line))),
      onAnswered: (answered) => void figures.push(answered),
    },
  );
  const notes = () => ({
    lines: lines.splice(0).map(({ time: _, ms: __, ...line }) => line),
    figures: figures.splice(0).map(({ seconds: _, ...figure }) => figure),
  });
  return { ...server, notes };
}

describe.each<[string, { basePath?: string }]>([
  ['a server', {}],
  ['one that requires signing in', { requireSignIn: true } as object],
  ['one below a path', { basePath: '/below' }],
  ['one that other sites may ask', { corsOrigins: ['https://a.example'] } as object],
])('on %s', (_kind, settings) => {
  test('a record is answered, logged and counted as by one that keeps nothing', async () => {
    const [kept, plain] = [await startNoted(true, settings), await startNoted(false, settings)];
    const { id, token } = await makePerson(app, 'editor');
    const path = `${settings.basePath ?? ''}/api/auth/me`;
    const bearer = `Authorization: Bearer ${token}`;
    const cookie = `Cookie: a=b; catalog_session=${token}`;
    const get = (fields: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\nConnection: close\r\n\r\n`;
    const plainly = get(bearer);
    try {
      for (const { accounts, url } of [kept, plain]) {
        await sent(url, plainly);
        await accounts.listTokens(id); // waits until the use of the token is written
        await sent(url, plainly);
      }
      handled = 0;
      await sent(kept.url, plainly);
      // On PostgreSQL it takes a look into the database to tell whether it has changed.
      expect(handled).toBe(app.database === '' ? 0 : 1);
      kept.notes();
      plain.notes();
      const requests = [
        plainly,
        `GET ${path} HTTP/1.1\r\nhOST: x\r\naUTHORIZATION:   Bearer ${token}  \r\nConnection: close\r\n\r\n`,
        `GET ${path} HTTP/1.0\r\nHost: x\r\n${bearer}\r\n\r\n`,
        get(`${bearer}\r\nIf-None-Match: *`),
        get(`${bearer}\r\nIf-None-Match: "x", W/"y"`),
        get(`${bearer}\r\nRange: bytes=0-3`),
        get(`Authorization: Bearer   ${token}`),
        get(`Authorization: bearer ${token}`),
        get(`Authorization: BEARER ${token}`),
        get(`Authorization: Bearer${token}`),
        get(`Authorization: Bearer ${token}x`),
        get('Authorization: Bearer'),
        get(`Authorization: Bearer \r\n${cookie}`),
        get('Authorization: Basic eDp5'),
        get(''.concat('X: ', token)),
        get(cookie),
        get(`${bearer}\r\nCookie: catalog_session=wrong`),
        get(`Authorization: Bearer wrong\r\n${cookie}`),
        get(`${bearer}\r\nAuthorization: Bearer wrong`),
        get(`Authorization: Bearer wrong\r\n${bearer}`),
        get(`${bearer}\r\nOrigin: https://a.example`),
        get(`${bearer}\r\nX-Forwarded-For: 10.0.0.1`),
        get(`${bearer}\r\nHost: y`),
        get(`${bearer}\r\nExpect: x`),
        get(`${bearer}\r\nContent-Length: 0`),
        `${get(`${bearer}\r\nContent-Length: 3`)}abc`,
        plainly.replace('GET', 'HEAD'),
        plainly.replace('GET', 'POST'),
        plainly.replace('GET', 'OPTIONS'),
        plainly.replace('Host: x\r\n', ''),
        plainly.replace(path, `${path}?x=1`),
        plainly.replace(path, `${path}?`),
        plainly.replace(path, `${path}/`),
        plainly.replace(path, path.replace('/me', '/%6de')),
        plainly.replace(path, `http://x${path}`),
        plainly.replace(path, '/api/auth/me'),
      ];
      for (const request of requests) {
        const [answer, expected] = [await sent(kept.url, request), await sent(plain.url, request)];
        expect(answer, request).toBe(expected);
        expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
      }
      const [notes, expected] = [kept.notes(), plain.notes()];
      expect(notes.lines.length).toBe(requests.length);
      const names = (all: typeof notes) => new Set(all.lines.map(({ reqId }) => reqId)).size;
      expect(names(notes)).toBe(names(expected));
      const unnamed = ({ lines, figures }: typeof notes) => ({
        lines: lines.map(({ reqId: _, ...line }) => line),
        figures,
      });
      expect(unnamed(notes)).toEqual(unnamed(expected));
    } finally {
      await kept.close();
      await plain.close();
    }
  });
});

test('the clock ends a token, and notes its use, while its record is kept', async () => {
  let now = Date.parse('2030-01-01T00:00:00.000Z');
  const clock = {
    now: () => now,
    timestamp: () => new Date(now).toISOString(),
    monotonic: () => performance.now(),
  };
  const server = await startWithAccounts(
    app,
    (engine) => new PartRevisions(engine).of('accounts'),
    { clock },
  );
  try {
    const user = await makeUser(app, 'user');
    const { value } = await server.accounts.issueToken(user, 'x', 1, { kind: 'system' });
    const me = async () =>
      (await ask(`${server.url}/api/auth/me`, { authorization: `Bearer ${value}` })).status;
    const lastUse = async () => (await server.accounts.listTokens(user.id))[0]?.lastUsedAt;
    for (let turn = 0; turn < 3; turn += 1) expect(await me()).toBe(200);
    expect(await lastUse()).toBe('2030-01-01T00:00:00.000Z');
    now += 59_000;
    for (let turn = 0; turn < 3; turn += 1) expect(await me()).toBe(200);
    expect(await lastUse()).toBe('2030-01-01T00:00:00.000Z');
    handled = 0;
    now += 2_000;
    expect(await me()).toBe(200);
    if (app.database === '') expect(handled).toBe(0);
    expect(await lastUse()).toBe('2030-01-01T00:01:01.000Z');
    now += 86_400_000 - 61_001;
    for (let turn = 0; turn < 3; turn += 1) expect(await me()).toBe(200);
    now += 1;
    expect(await me()).toBe(401);
  } finally {
    await server.close();
  }
});
