import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, formAround, logIn } from '../support/client.ts';
import { openSandbox, type Sandbox, type Server } from '../support/process.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const canMeasure = existsSync('/proc/self/status');
const why = canMeasure ? '' : ' (skipped: there is no /proc to read it from)';

let sandbox: Sandbox;
let server: Server;
let token: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  const games = join(sandbox.data, 'store/games');
  mkdirSync(games, { recursive: true });
  writeFileSync(join(games, 'large'), '');
  truncateSync(join(games, 'large'), 100 * MIB);
  server = await sandbox.serve(['--log-level', 'warn']);
  token = await logIn(server.url);
});
afterAll(() => sandbox.close());

describe.skipIf(!canMeasure)(`memory of the server process${why}`, () => {
  test('200 readers that take almost nothing of 100 MB cost less than 128 MiB, and hinder nobody', async () => {
    await warmUp();
    const before = rss();
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openReader()));
    let most = 0;
    for (let i = 0; i < 30; i++) {
      await setTimeout(100);
      most = Math.max(most, rss());
    }
    expect((await ask(`${server.url}/api/health`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    console.log(`200 slow readers: ${((most - before) / MIB).toFixed(1)} MiB`);
    // Some 76; V8 may let the room for young objects grow by 25 just then. With pieces of 1 MiB it would be over 400.
    expect(most - before).toBeLessThan(128 * MIB);
  });

  test('an upload of 1 GiB grows it by less than 96 MiB, and arrives whole', async () => {
    const before = rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, rss());
    }, 50);
    const answer = await uploadZeros('huge.iso', GIB);
    clearInterval(watch);
    console.log(`1 GiB upload: ${((most - before) / MIB).toFixed(1)} MiB`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain(`"size":${GIB}`);
    expect(statSync(join(sandbox.data, 'store/games/huge.iso')).size).toBe(GIB);
    expect(most).toBeGreaterThan(0);
    expect(most - before).toBeLessThan(96 * MIB);
  }, 60_000);
});

/** Bytes of memory that the server holds. */
function rss(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** So that the figures start from a process that has served before; also proves that the bytes are right. */
async function warmUp(): Promise<void> {
  const { text } = await ask(`${server.url}/api/store/download/games/large`, { token });
  const hash = createHash('sha256').update(text).digest('hex');
  expect(hash).toBe(
    createHash('sha256')
      .update(Buffer.alloc(100 * MIB))
      .digest('hex'),
  );
}

async function openReader() {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `GET /api/store/download/games/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

async function uploadZeros(name: string, size: number): Promise<string> {
  const { head, tail, type } = formAround(name);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /api/store/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${head.length + size + tail.length}\r\n` +
      `Connection: close\r\n\r\n${head}`,
  );
  const piece = Buffer.alloc(MIB);
  for (let sent = 0; sent < size; sent += MIB) {
    if (!socket.write(piece)) await once(socket, 'drain');
  }
  socket.write(tail);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}
