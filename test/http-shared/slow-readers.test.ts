import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendFile } from '../../src/http/shared/send-file.ts';
import { ask, eventually, openFiles, startServer } from './server.ts';
import { connectSilentReaders } from './silent-readers.ts';

const READERS = 200;
const MIB = 1024 * 1024;
let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
let sha256: string;
beforeAll(async () => {
  server = await startServer();
  server.app.get('/', async (request, reply) => {
    const file = await server.area.open('large');
    if (file === null) throw new Error('large is not there');
    return sendFile(request, reply, file, { type: 'application/octet-stream' });
  });
  port = await server.listen();
  // Not staged, and asked for only in part, so that the figure below starts from a process at rest.
  fs.mkdirSync(server.folder, { recursive: true });
  const handle = fs.openSync(join(server.folder, 'large'), 'w');
  const hash = createHash('sha256');
  const piece = Buffer.alloc(MIB);
  for (let i = 0; i < 100; i++) {
    fs.writeSync(handle, piece.fill(i));
    hash.update(piece);
  }
  fs.closeSync(handle);
  sha256 = hash.digest('hex');
});
afterAll(() => server.stop());

test(`${READERS} clients that read nothing cost little memory and hinder nobody`, async () => {
  await warmUp();
  const filesBefore = openFiles();
  const { growth, leave } = await connectSilentReaders(port, READERS);
  expect(growth).toBeLessThan(100);
  const { body } = await ask(port, { path: '/' });
  expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
  leave();
  expect(await eventually(() => openFiles() <= filesBefore, 10_000)).toBe(true);
}, 120_000);

/** Ordinary downloads first: the code and heap that any traffic needs once are not the slow readers' cost. */
async function warmUp(): Promise<void> {
  const path = `http://127.0.0.1:${port}/`;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { body } = await fetch(path);
      for await (const _ of body ?? []);
    }),
  );
}
