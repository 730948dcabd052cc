import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  formBody,
  formPart,
  formType,
  type Requester,
} from '../../../support/http/requester.ts';

const mebibyte = 1_048_576;
/**
 * Maximum number of bytes that a refused client may still send. The server discards these bytes, so
 * that the client can read the response.
 */
const maxDiscarded = 32 * mebibyte;
const file = formPart({ bytes: 'content', filename: 'whole.zip' });

let app: TestApp;
let request: Requester;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  token = (await makePerson(app, 'editor')).token;
  await importGames(app, ['One']);
});
afterAll(() => app.close());

const paths = ['/api/cover/1', '/api/store/upload'];
const orders: [string, (note: Buffer) => Buffer[]][] = [
  ['before', (note) => [note, file]],
  ['after', (note) => [file, note]],
];

/** Returns the names of all files in the data folder that an upload could have created. */
async function stored(): Promise<string[]> {
  const folders = ['tmp', 'covers', join('store', 'games')];
  const names = folders.map((folder) => readdir(join(app.data, folder)).catch(() => []));
  return (await Promise.all(names)).flat();
}

describe.each(paths)('POST %s', (path) => {
  test.each(orders)('accepts almost 1 MiB of other fields %s the file', async (_, order) => {
    const note = formPart({ field: 'note', filename: null, bytes: Buffer.alloc(mebibyte - 1_000) });
    const body = formBody(...order(note));
    const headers = { 'content-type': formType };
    for (const chunked of [false, true]) {
      const response = await request('POST', path, { token, headers, body, chunked });
      expect([response.status, response.json.ok]).toEqual([200, true]);
    }
    await request('DELETE', '/api/cover/1', { token });
    await request('DELETE', '/api/store/games/whole.zip', { token });
    expect(await stored()).toEqual([]);
  });

  test.each(orders)(
    'refuses 1 MiB of other fields %s the file, and stores nothing',
    async (_, order) => {
      const note = formPart({ field: 'note', filename: null, bytes: Buffer.alloc(mebibyte) });
      const body = formBody(...order(note));
      const response = await request('POST', path, {
        token,
        headers: { 'content-type': formType },
        body,
      });
      expect([response.status, response.json]).toEqual([413, { detail: 'body too large' }]);
      expect(await stored()).toEqual([]);
    },
  );

  test.each(orders)(
    'refuses endless other fields %s the file with 413, and closes the connection',
    async (_, order) => {
      const endless = formPart({ field: 'note', bytes: '' }).subarray(0, -2);
      const start = Buffer.concat(order(endless).slice(0, order(endless).indexOf(endless) + 1));
      const { response, sent } = await sendWithoutEnd(path, start);
      expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*\{"detail":"body too large"\}/);
      // Bytes in the kernel's buffers also count as sent.
      expect(sent).toBeLessThan(maxDiscarded + 16 * mebibyte);
      expect(await stored()).toEqual([]);
    },
  );
});

/**
 * Sends `start` and then zeros until the server closes the connection. Resolves to the response and
 * the number of bytes sent.
 */
function sendWithoutEnd(path: string, start: Buffer): Promise<{ response: string; sent: number }> {
  const { hostname, port } = new URL(app.url);
  const zeros = Buffer.alloc(65_536);
  return new Promise((resolve) => {
    let response = '';
    let sent = 0;
    const socket = connect(Number(port), hostname);
    socket.on('data', (bytes) => {
      response += bytes.toString();
    });
    socket.on('error', () => {}); // the connection was aborted; `close` follows
    socket.on('close', () => resolve({ response, sent }));
    function send(bytes: Buffer): void {
      if (!socket.writable) return;
      sent += bytes.length;
      socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      socket.write('\r\n', () => setImmediate(send, zeros));
    }
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: ${formType}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    send(start);
  });
}
