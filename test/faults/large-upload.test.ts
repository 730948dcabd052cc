/** @module-tag full */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesIn } from '../support/bytes-in.ts';
import { formAround, logIn } from '../support/http/client.ts';
import { useSandbox } from '../support/process.ts';

const MIB = 1024 * 1024;
const SIZE = 256 * MIB;
/**
 * Maximum number of bytes between the client and the file. These are bytes in the socket buffers of
 * both ends and bytes that the server buffers.
 */
const MAX_BETWEEN = 32 * MIB;

describe('the server', () => {
  test('writes a large upload to the disk as it arrives, and stores it in full size', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--log-level', 'warn']);
    const token = await logIn(server.url);
    const { head, tail, type } = formAround('huge.iso');
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST /api/store/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${head.length + SIZE + tail.length}\r\n` +
        `Connection: close\r\n\r\n${head}`,
    );
    const piece = Buffer.alloc(MIB);
    let max = 0;
    for (let sent = MIB; sent <= SIZE; sent += MIB) {
      if (!socket.write(piece)) await once(socket, 'drain');
      max = Math.max(max, sent - bytesIn(join(sandbox.data, 'tmp')));
    }
    socket.write(tail);
    let response = '';
    for await (const chunk of socket) response += chunk;
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain(`"size":${SIZE}`);
    expect(statSync(join(sandbox.data, 'store/games/huge.iso')).size).toBe(SIZE);
    expect(max).toBeLessThan(MAX_BETWEEN);
  });
});
