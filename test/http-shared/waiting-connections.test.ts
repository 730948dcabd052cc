import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closeIdleAtStop } from '../../src/http/shared/server/idle-at-stop.ts';

const clients = 8;

/**
 * Connects on the port of its first argument, sends a request on each connection, and creates the
 * file of its second argument. Prints the status line of each response, or the error.
 */
const program = `
  const { connect } = require('node:net');
  const { writeFileSync } = require('node:fs');
  const [port, marker] = process.argv.slice(1);
  let sent = 0;
  for (let client = 0; client < ${clients}; client += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    let response = '';
    socket.on('error', (error) => console.log(error.code));
    socket.on('data', (bytes) => { response += bytes; });
    socket.on('end', () => console.log(response.split('\\r\\n')[0]));
    socket.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0\\r\\n\\r\\n', () => {
      sent += 1;
      if (sent === ${clients}) writeFileSync(marker, '');
    });
  }`;

describe('a server that stops', () => {
  test('responds to requests on connections that it has not accepted yet', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-waiting-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const app = fastify({ return503OnClosing: false });
    closeIdleAtStop(app);
    app.post('/', async () => 'done');
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const marker = join(folder, 'sent');
    const child = spawn(process.execPath, ['-e', program, `${port}`, marker]);
    const output = text(child.stdout);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    // Blocks the event loop, as on a busy machine, so that no connection is accepted meanwhile.
    while (!existsSync(marker)) Atomics.wait(pause, 0, 0, 5);
    await app.close();
    await once(child, 'close');
    expect((await output).trim().split('\n')).toEqual(Array(clients).fill('HTTP/1.1 200 OK'));
  });
});
