import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useStore } from '../store/store-fixture.ts';
import { logIn } from '../support/http/client.ts';
import { createRequester } from '../support/http/requester.ts';
import { sha256, tusClient } from '../support/http/tus.ts';
import { type Server, useSandbox } from '../support/process.ts';
import { run } from './run-code.ts';

const MIB = 1_048_576;
const chunkBytes = 16 * MIB;
const wholeBytes = 300_000_000;
/** Bytes that are cheap to create and differ in every chunk. */
const noise = randomBytes(chunkBytes + 1_000);
const chunkAt = (offset: number) => {
  const from = Math.floor(offset / chunkBytes);
  return noise.subarray(from, from + Math.min(chunkBytes, wholeBytes - offset));
};

describe('the server after a kill', () => {
  test('stores a 300 MB archive intact although it was killed during three of the chunks', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    let server = await sandbox.serve();
    const clientOf = async ({ url }: Server) => tusClient(createRequester(url), await logIn(url));
    let tus = await clientOf(server);
    const uploadUrl = await tus.createUpload(wholeBytes, { filename: 'big.iso', system: 'games' });
    const hash = createHash('sha256');
    let offset = 0;
    let kills = 0;
    while (offset < wholeBytes) {
      const chunk = chunkAt(offset);
      const number = Math.floor(offset / chunkBytes);
      if (kills < 3 && number === [2, 9, 17][kills]) {
        // Kill the server during the chunk. Part of the chunk is then on disk, but the server has
        // not acknowledged it.
        const sending = tus.send(uploadUrl, offset, chunk).catch(() => null);
        await expect.poll(() => bytesOnDisk(sandbox.data)).toBeGreaterThan(offset);
        server.kill('SIGKILL');
        const response = await sending;
        await server.ended;
        server = await sandbox.serve();
        tus = await clientOf(server);
        kills += 1;
        const { headers } = await tus.head(uploadUrl);
        const known = Number(headers['upload-offset']);
        expect([offset, offset + chunk.length]).toContain(known);
        if (response !== null) expect(known).toBe(offset + chunk.length);
        if (known === offset) continue;
      } else {
        expect((await tus.send(uploadUrl, offset, chunk)).status).toBe(204);
      }
      hash.update(chunk);
      offset += chunk.length;
    }
    expect(kills).toBe(3);
    expect(await tus.waitUntilChecked(uploadUrl)).toMatchObject({
      state: 'done',
      offset: wholeBytes,
    });
    const stored = readFileSync(join(sandbox.data, 'store/games/big.iso'));
    const expected = hash.digest('hex');
    expect([stored.length, sha256(stored).toString('hex')]).toEqual([wholeBytes, expected]);
    expect(recorded(sandbox.data)).toEqual([
      { name: 'big.iso', size: wholeBytes, sha256: expected },
    ]);
    await expect.poll(() => uploadFolders(sandbox.data)).toEqual([]);
  });

  /** Code that begins an upload of "new", receives it in two chunks and waits for its end. */
  const sent = `
  uploads.start();
  const me = { kind: 'user', userId: 1, username: 'admin', address: '' };
  const viewer = { userId: 1, seesAll: true };
  const chunk = (offset, text) => ({
    offset, checksum: null, length: text.length, bytes: bytes(text), isWhole: () => true });
  const declared = { system: 'games', filename: 'b.zip', size: 3, replaces: false, metadata: '' };
  const { id } = await uploads.begin(declared, me);
  await uploads.receive(id, viewer, chunk(0, 'ne'), me);
  await uploads.receive(id, viewer, chunk(2, 'w'), me);
  for (;;) {
    const { state } = await uploads.get(id, viewer);
    if (state === 'done' || state === 'failed') break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }`;

  for (const [when, tags] of [
    ['before', []],
    ['after', ['full']],
  ] as const) {
    test(`completes an upload on the next start when killed just ${when} the archive is renamed`, {
      tags: [...tags],
    }, async () => {
      const fixture = await useStore();
      await fixture.catalog.accounts.ensureAdmin('admin-password');
      await fixture.close();
      const code = `killAt('rename', '${when}'); ${sent}`;
      expect(await run(fixture.data, code)).toEqual({ signal: 'SIGKILL', stderr: '' });
      expect(await fixture.archive('b.zip')).toBe(when === 'after' ? 'new' : null);

      const again = await useStore([], fixture.data);
      const viewer = { userId: 1, seesAll: true };
      const state = async () =>
        (await again.catalog.uploads.list(viewer)).map((each) => each.state);
      expect(await state()).toEqual(['checking']);
      again.catalog.uploads.start();
      await expect.poll(state).toEqual(['done']);
      await again.settled();
      expect(await again.archive('b.zip')).toBe('new');
      expect(await again.filesOnDisk()).toEqual(again.rows());
      await expect.poll(() => uploadFolders(fixture.data)).toEqual([]);
    });
  }

  test('marks an upload as failed and damaged if its stored bytes are lost', {
    tags: ['full'],
  }, async () => {
    const fixture = await useStore();
    await fixture.catalog.accounts.ensureAdmin('admin-password');
    await fixture.close();
    const code = `killAt('rename', 'before'); ${sent}`;
    await run(fixture.data, code);
    const [folder = ''] = uploadFolders(fixture.data);
    writeFileSync(join(fixture.data, 'tmp/uploads', folder, 'b.zip'), 'n');
    const db = new Database(join(fixture.data, 'catalog.db'));
    onTestFinished(() => void db.close());
    db.prepare('UPDATE upload SET sha256 = NULL').run();
    const again = await useStore([], fixture.data);
    again.catalog.uploads.start();
    const uploads = () => again.catalog.uploads.list({ userId: 1, seesAll: true });
    await expect.poll(uploads).toMatchObject([{ state: 'failed', detail: 'damaged upload' }]);
    expect(await again.archive('b.zip')).toBeNull();
  });
});

function uploadFolders(data: string): string[] {
  return readdirSync(join(data, 'tmp/uploads'));
}

/** Returns the size of the only upload on disk, in bytes. */
function bytesOnDisk(data: string): number {
  const folder = join(data, 'tmp/uploads');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const [file] = names.filter((each) => each.isFile());
  return file === undefined ? 0 : statSync(join(file.parentPath, file.name)).size;
}

function recorded(data: string): unknown {
  const db = new Database(join(data, 'catalog.db'), { readonly: true });
  const rows = db.prepare('SELECT name, size, sha256 FROM stored_file').all();
  db.close();
  return rows;
}
