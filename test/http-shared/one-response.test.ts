import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp } from '../support/http/app.ts';
import { startMinimalApp } from '../support/http/minimal-app.ts';

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

const always = [
  'x-content-type-options: nosniff',
  'x-frame-options: DENY',
  'referrer-policy: no-referrer',
  "content-security-policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
];

describe.each<[string, () => Promise<Served>, (message: string) => unknown]>([
  ['account', startTestApp, (detail) => ({ detail })],
  ['minimal', startMinimalApp, (error) => ({ error })],
])('the %s API', (_name, start, body) => {
  let served: Served;
  beforeAll(async () => {
    served = await start();
  });
  afterAll(() => served.close());

  test.each([
    ['no Host', 'GET /api/releases HTTP/1.1\r\n\r\n'],
    ['an empty Host', 'GET /api/releases HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a Host with a path', 'GET /api/releases HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['a Host with a blank', 'GET /api/releases HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a Host with a user', 'GET /api/releases HTTP/1.1\r\nHost: me@a\r\n\r\n'],
    ['a Host with half an address', 'GET /api/releases HTTP/1.1\r\nHost: [::1\r\n\r\n'],
    ['two Hosts', 'GET /api/releases HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['bytes that are not HTTP', 'no HTTP at all\r\n\r\n'],
    ['a broken field', 'GET /api/releases HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
  ])('responds with 400 `bad request` to %s', async (_what, request) => {
    const [response, ...more] = await responsesTo(request);
    expect(more).toEqual([]);
    expect(response).toMatchObject({ status: 400, json: body('bad request') });
    expect(response?.lines).toEqual(expect.arrayContaining(always));
  });

  test('responds with 417 `expectation failed` to an unknown expectation', async () => {
    const responses = await responsesTo(
      `GET /api/releases HTTP/1.1\r\n${host}Expect: x\r\n${close}\r\n`,
    );
    expect(responses).toMatchObject([{ status: 417, json: body('expectation failed') }]);
    expect(responses[0]?.lines).toEqual(expect.arrayContaining(always));
  });

  test('accepts a name, an IP address or a port as Host, and HTTP/1.0 without Host', async () => {
    for (const name of ['a', 'a.example:80', '127.0.0.1', '[::1]:8000', 'über.example', 'a:']) {
      const responses = await responsesTo(
        `GET /api/store HTTP/1.1\r\nHost: ${name}\r\n${close}\r\n`,
      );
      expect([name, responses.map(({ status }) => status)]).not.toEqual([name, [400]]);
    }
    const [old] = await responsesTo('GET /api/store HTTP/1.0\r\n\r\n');
    expect(old?.status).not.toBe(400);
  });

  test('responds with 400 `bad request` to CONNECT, which Node itself drops', async () => {
    const [response, ...more] = await responsesTo(`CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`);
    expect(more).toEqual([]);
    expect(response).toMatchObject({ status: 400, json: body('bad request') });
    expect(response?.lines).toEqual(expect.arrayContaining(always));
  });

  test('sends no second response when a body turns out malformed after the first', async () => {
    const head = `PUT /api/nope HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
    const responses = await responsesTo(head, 'zz\r\n');
    expect(responses).toMatchObject([{ status: 404, json: body('not found') }]);
  });

  test('sends one response when the header and a malformed body arrive in one packet', async () => {
    const head = `PUT /api/nope HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
    expect(await responsesTo(head)).toHaveLength(1);
  });

  test('responds to a request first, and then with 400 to malformed bytes after it', async () => {
    const get = `GET /api/nope HTTP/1.1\r\n${host}\r\n`;
    const responses = await responsesTo(get, 'no HTTP at all\r\n\r\n');
    expect(responses).toMatchObject([
      { status: 404, json: body('not found') },
      { status: 400, json: body('bad request') },
    ]);
  });

  const host = 'Host: localhost\r\n';
  const close = 'Connection: close\r\n';

  /**
   * Sends each part after the response to the previous part has arrived. Returns all responses
   * until the connection is closed.
   */
  async function responsesTo(...parts: string[]) {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      received += piece;
    });
    const closed = once(socket, 'close');
    for (const part of parts) {
      const before = received.length;
      socket.write(part);
      if (part === parts.at(-1)) break;
      await vi.waitUntil(() => received.length > before, { timeout: 20_000 });
    }
    await closed;
    const responses = received.split(/(?=HTTP\/1\.1 \d{3} )/);
    return responses.filter(Boolean).map((response) => {
      const [head = '', content = ''] = response.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      return { status: Number(first.split(' ')[1]), lines, json: parsed(content) };
    });
  }
});

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
