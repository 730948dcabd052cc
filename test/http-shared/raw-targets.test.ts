import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../support/data/dats.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { type MinimalApp, startMinimalApp } from '../support/http/minimal-app.ts';
import { createRequester, formBody, formPart, formType } from '../support/http/requester.ts';

let app: TestApp;
let minimal: MinimalApp;
beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, ['Pokémon', 'Poke', '日本語']);
  minimal = await startMinimalApp({ existing: app });
});
afterAll(async () => {
  await minimal.close();
  await app.close();
});

interface RawResponse {
  readonly status: number;
  readonly body: Buffer;
}

/** Sends each piece after the server has read the previous one. Returns the responses. */
async function send(url: string, ...pieces: (string | Buffer)[]): Promise<RawResponse[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay(true);
  const received = buffer(socket);
  await once(socket, 'connect');
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await createRequester(url)('GET', '/api/releases?limit=1');
    // Now the server has read the previous piece.
  }
  return responsesIn(await received);
}

function responsesIn(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.toString('latin1', 0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    responses.push({ status: Number(head.split(' ')[1]), body: rest.subarray(end, end + length) });
    rest = rest.subarray(end + length);
  }
  return responses;
}

const request = (target: string, more = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const last = (target: string, more = '', method = 'GET') =>
  request(target, `${more}Connection: close\r\n`, method);
const namesIn = ({ body }: RawResponse) =>
  (JSON.parse(body.toString()).items as { name: string }[]).map(({ name }) => name);

describe.each([
  ['account', () => app.url, 'detail'],
  ['minimal', () => minimal.url, 'error'],
] as const)('the %s API', (_name, url, key) => {
  test('reads raw UTF-8 in a query like percent-encoded UTF-8, cached or not', async () => {
    for (const q of ['é', '日本語', 'P%6fkémon', 'kémon&x=ü']) {
      const raw = await send(url(), request(`/api/releases?q=${q}`), last(`/api/releases?q=${q}`));
      const plain = await send(url(), last(`/api/releases?q=${encodeURI(decodeURI(q))}`));
      expect([q, raw[0], raw[1]]).toEqual([q, plain[0], plain[0]]);
      expect(namesIn(raw[0] as RawResponse)).toHaveLength(1);
    }
  });

  test.each(['ff', 'c3', 'c328', 'c0af', 'eda080', 'f5808080', 'e697a5ff'])(
    'refuses a URL whose raw bytes are not UTF-8: %s',
    async (hex) => {
      const bytes = Buffer.from(hex, 'hex').toString('latin1');
      for (const target of [`/api/releases?q=${bytes}`, `/api/store/download/${bytes}`]) {
        const responses = await send(url(), Buffer.from(request(target), 'latin1'));
        expect(responses.map(({ status }) => status)).toEqual([400]);
        const error = JSON.parse(String(responses[0]?.body));
        expect(error).toEqual({ [key]: 'the URL is not valid UTF-8' });
      }
    },
  );

  test('responds in order to pipelined requests with raw UTF-8 URLs', async () => {
    const responses = await send(
      url(),
      request('/api/releases?q=Poke') +
        request('/api/releases?q=é') +
        request('/api/é') +
        request('/api/releases?q=日') +
        request('/api/releases?q=Poke') +
        last('/api/releases?q=日本語'),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200, 200]);
    const [poke, first, , second, again, third] = responses.map(({ status, body }) =>
      status === 200 ? namesIn({ status, body }) : [],
    );
    expect([poke, again]).toEqual([['Poke'], ['Poke']]);
    expect([first, second, third]).toEqual([['Pokémon'], ['日本語'], ['日本語']]);
  });

  test('keeps a connection open over 30 consecutive requests with raw UTF-8 URLs', async () => {
    const pieces = Array.from({ length: 30 }, () => request('/api/releases?q=é'));
    const responses = await send(url(), ...pieces, last('/api/é'));
    expect(responses.map(({ status }) => status)).toEqual([...pieces.map(() => 200), 404]);
  });

  test('reads a URL split after its first non-ASCII byte, and refuses earlier splits', async () => {
    const bytes = Buffer.from(last('/api/releases?q=é日本&q=x'));
    const first = bytes.indexOf(0xc3) + 1;
    for (let at = first; at < first + 12; at += 1) {
      const responses = await send(url(), bytes.subarray(0, at), bytes.subarray(at));
      expect([at, responses.map(({ status }) => status)]).toEqual([at, [200]]);
    }
    // The parser has already received the earlier bytes and does not return them.
    const lost = await send(url(), bytes.subarray(0, 10), bytes.subarray(10));
    expect(lost.map(({ status }) => status)).toEqual([400]);
  });

  test('refuses a request with a raw UTF-8 URL that is too long or malformed', async () => {
    for (const [bytes, statuses] of [
      [request(`/api/${'é'.repeat(9000)}`), [431]],
      [`GET /${'é'.repeat(9000)}`, [431]],
      [request('é'), [400]],
      [request('/é\x01'), [400]],
      ['GET /api/é HTTP/9.9\r\n\r\n', [400]],
      ['FROB /api/é HTTP/1.1\r\n\r\n', [400]],
      ['GET /api/é HTTP/1.1\r\n\r\n', [400]],
    ] as const) {
      const responses = await send(url(), bytes);
      expect([bytes.slice(0, 20), responses.map(({ status }) => status)]).toEqual([
        bytes.slice(0, 20),
        [...statuses],
      ]);
    }
  });
});

describe('a request with a raw UTF-8 URL', () => {
  test('uploads, downloads and deletes an archive, with its bytes unchanged', async () => {
    const bytes = randomBytes(6_000_000);
    const auth = `Authorization: Bearer ${app.adminToken}\r\n`;
    const body = formBody(formPart({ bytes, filename: 'Pokémon 日本.zip' }));
    const fields = `${auth}Content-Type: ${formType}\r\nContent-Length: ${body.length}\r\n`;
    const stored = await send(
      app.url,
      Buffer.concat([Buffer.from(request('/api/store/upload?x=é', fields, 'POST')), body]),
      last('/api/store/download/games/Pokémon 日本.zip'.replace(' ', '%20'), auth),
    );
    expect(stored.map(({ status }) => status)).toEqual([200, 200]);
    expect(stored[1]?.body.equals(bytes)).toBe(true);
    const path = '/api/store/games/Pokémon%20日本.zip';
    const removed = await send(app.url, last(path, auth, 'DELETE'), '');
    expect(removed.map(({ status }) => status)).toEqual([200]);
  });

  test('is completed if it is running when the server stops', async () => {
    const other = await startTestApp();
    const auth = `Authorization: Bearer ${other.adminToken}\r\nContent-Type: application/json\r\n`;
    const json = JSON.stringify({ username: 'late', password: 'x' });
    const head = last('/api/users?x=é', `${auth}Content-Length: ${json.length}\r\n`, 'POST');
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    const received = buffer(socket);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(head, resolve));
    await createRequester(other.url)('GET', '/api/health');
    const closed = other.app.close();
    socket.write(json);
    const responses = responsesIn(await received);
    await closed;
    await other.close();
    expect(responses.map(({ status }) => status)).toEqual([200]);
  });

  test('leaves the server available if the client disconnects in the middle', async () => {
    for (const cut of [
      'GET /api/releases?q=é',
      request('/api/releases?q=é'),
      request('/é', 'X: '),
    ]) {
      for (let turn = 0; turn < 10; turn += 1) {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => {});
        await once(socket, 'connect');
        await new Promise((resolve) => socket.write(cut, resolve));
        if (turn % 2 === 0) socket.resetAndDestroy();
        else socket.end();
        socket.resume();
        await once(socket, 'close');
      }
    }
    expect((await createRequester(app.url)('GET', '/api/releases?q=x')).status).toBe(200);
  });
});
