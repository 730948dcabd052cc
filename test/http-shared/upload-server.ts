import * as fs from 'node:fs';
import { imageTooLarge } from '../../src/core/shared/errors.ts';
import { limitBytes } from '../../src/core/shared/files/limit-bytes.ts';
import { receiveFile } from '../../src/http/shared/bodies/multipart.ts';
import { discardUnreadBody } from '../../src/http/shared/server/unread-body.ts';
import { startServer } from './server.ts';

export const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Starts a server that stores every upload in its area. `/` has no size limit, `/small` accepts up
 * to 20 MiB, and `/401` refuses uploads.
 */
export async function startUploadServer(options: { top?: string } = {}) {
  const server = await startServer(options);
  const received: { name: string; size: number; sha256: string }[] = [];
  const failures: { error: unknown; bytesRead: number }[] = [];
  let count = 0;
  server.app.addHook('onSend', discardUnreadBody);
  server.app.post('/401', (_request, reply) =>
    reply.code(401).send({ detail: 'not authenticated' }),
  );
  for (const [url, maxBytes] of [
    ['/', undefined],
    ['/small', MAX_BYTES],
  ] as const) {
    server.app.post(url, async (request) => {
      try {
        const { name, staged } = await receiveFile(request.raw, {
          receive: async (name, bytes) => {
            const staged = await server.area.stage(limitBytes(bytes, maxBytes, imageTooLarge));
            return { name, staged };
          },
          discard: ({ staged }) => staged.discard(),
        });
        count += 1;
        const { size } = await staged.publish(`upload ${count}`);
        received.push({ name, size, sha256: staged.sha256 });
        return { name, size };
      } catch (error) {
        failures.push({ error, bytesRead: request.raw.socket.bytesRead });
        throw error;
      }
    });
  }
  const unfinished = () => (fs.existsSync(server.tmp) ? fs.readdirSync(server.tmp).length : 0);
  return { ...server, received, failures, unfinished };
}

export const FORM = 'multipart/form-data; boundary=b0undary';

/** Returns a part of a form with these header lines. */
export const part = (headers: string, body: Buffer | string = '') =>
  Buffer.concat([
    Buffer.from(`--b0undary\r\n${headers}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);

export const filePart = (disposition: string, body: Buffer | string = 'content') =>
  part(
    `Content-Disposition: form-data; ${disposition}\r\nContent-Type: application/octet-stream`,
    body,
  );

export const form = (...parts: Buffer[]) =>
  Buffer.concat([...parts, Buffer.from('--b0undary--\r\n')]);
