/** Bytes to send on a connection, and the allowed responses. */
export interface RawCase {
  readonly what: string;
  readonly bytes: string;
  /** Statuses that the response may have. */
  readonly statuses: readonly number[];
  /**
   * True if the server must close the connection, so that it does not interpret the following bytes
   * as a request.
   */
  readonly closes: boolean;
}

const host = 'Host: localhost\r\n';
const get = `GET /api/releases HTTP/1.1\r\n${host}`;
const post = `POST /api/auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
/** A request hidden behind a body. The server must not execute it. */
const hidden = `GET /api/hidden HTTP/1.1\r\n${host}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

const refused = (what: string, bytes: string, ...statuses: number[]): RawCase => ({
  what,
  bytes,
  statuses: statuses.length > 0 ? statuses : [400],
  closes: true,
});
const served = (what: string, bytes: string, ...statuses: number[]): RawCase => ({
  what,
  bytes,
  statuses,
  closes: false,
});

/**
 * Bytes that are not HTTP, requests that two parsers may interpret differently, and requests for
 * things that do not exist.
 */
export const rawCases: readonly RawCase[] = [
  refused('no Host', 'GET /api/releases HTTP/1.1\r\n\r\n'),
  refused('two Hosts', `${get}${host}\r\n`),
  refused('Expect: x', `${get}Expect: x\r\n\r\n`, 417),
  refused(
    'chunks of an unknown path',
    `PUT /api/nope HTTP/1.1\r\n${host}${chunked}\r\nzz\r\n`,
    404,
    400,
  ),
  refused('invalid chunks', `${post}${chunked}\r\nzz\r\n${hidden}`, 400, 405),
  refused(
    'a chunk of a negative size',
    `${post}${chunked}\r\n-1\r\nx\r\n0\r\n\r\n${hidden}`,
    400,
    405,
  ),
  refused('a chunk longer than it says', `${post}${chunked}\r\n1\r\nxxx\r\n0\r\n\r\n`, 400, 405),
  refused('length and chunks', `${post}Content-Length: 4\r\n${chunked}\r\n0\r\n\r\n${hidden}`),
  refused('chunks and length', `${post}${chunked}Content-Length: 4\r\n\r\n0\r\n\r\n${hidden}`),
  refused('two lengths', `${post}Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}${hidden}`),
  refused('two equal lengths', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${hidden}`),
  refused('a negative length', `${post}Content-Length: -2\r\n\r\n{}`),
  refused('a length with a sign', `${post}Content-Length: +2\r\n\r\n{}`),
  refused('an invalid length', `${post}Content-Length: 2x\r\n\r\n{}`),
  refused('gzip after chunks', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${hidden}`),
  refused('an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`),
  refused('bare line feeds', 'GET /api/releases HTTP/1.1\nHost: localhost\n\n'),
  refused('a bare carriage return', `${get}X: a\rb\r\n\r\n`),
  refused('a space before the colon', `GET /api/releases HTTP/1.1\r\nHost : localhost\r\n\r\n`),
  refused('NUL in a field', `${get}X: a\0b\r\n\r\n`),
  refused('a field of 20 kB', `${get}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431),
  refused('a path of 20 kB', `GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, 414),
  refused('3,000 fields', `${get}${'X: y\r\n'.repeat(3_000)}\r\n`, 431, 400),
  refused('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  refused('HTTP/9.9', `GET /api/releases HTTP/9.9\r\n${host}\r\n`, 400, 505),
  refused('no version', 'GET /api/releases\r\n\r\n'),
  refused('a lower-case method', `get /api/releases HTTP/1.1\r\n${host}\r\n`),
  refused('an unknown method', `FROB /api/releases HTTP/1.1\r\n${host}\r\n`),
  refused('not HTTP', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'.repeat(10)),
  refused('CONNECT', `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`, 400, 404, 405),
  served('TRACE', `TRACE /api/releases HTTP/1.1\r\n${host}\r\n`, 404, 405),
  served('TRACE of an unknown path', `TRACE /api/nope HTTP/1.1\r\n${host}\r\n`, 404, 405),
  served('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 200, 204, 404, 405),
  served('a folded field', `${get}X: a\r\n b\r\n\r\n`, 200, 400),
  served(
    'an upgrade to h2c',
    `${get}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    200,
  ),
  served('an upgrade to WebSocket', `${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 200),
  served('absolute form', `GET http://localhost/api/releases HTTP/1.1\r\n${host}\r\n`, 200),
  served(
    'absolute form of another host',
    `GET http://example.net/api/releases HTTP/1.1\r\n${host}\r\n`,
    200,
    400,
    404,
    421,
  ),
  served('an empty line before', `\r\n${get}\r\n`, 200),
  served('a body of GET', `${get}Content-Length: 2\r\n\r\n{}`, 200, 400),
  served('a fragment', `GET /api/releases#x HTTP/1.1\r\n${host}\r\n`, 200, 400, 404),
];
