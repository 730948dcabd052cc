import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { pollOptions } from '../poll-options.ts';
import { formPart, formType } from './requester.ts';

/**
 * Starts an upload that announces more bytes than it sends. Disconnects once the server has begun
 * to stage the file.
 */
export async function abortUpload(
  { url, data }: { readonly url: string; readonly data: string },
  path: string,
  token: string,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const staged = async () => (await readdir(join(data, 'tmp'))).length;
  const before = await staged();
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${formType}\r\nContent-Length: 5000000\r\n\r\n`,
  );
  socket.write(formPart({ bytes: Buffer.alloc(200_000, 'x'), filename: 'cut.zip' }));
  await vi.waitFor(async () => expect(await staged()).toBeGreaterThan(before), pollOptions);
  socket.destroy();
  await closed;
}
