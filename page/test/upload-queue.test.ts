import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Refusal, Unreachable } from '../src/api/request.ts';
import type { UploadMetadata, UploadRecord } from '../src/api/uploads.ts';
import type { FileUpload } from '../src/uploads/file-upload.svelte.ts';
import type { Hasher } from '../src/uploads/hasher.ts';
import { chunkBytes, type UploadApi } from '../src/uploads/send-file.ts';
import { UploadQueue } from '../src/uploads/upload-queue.svelte.ts';

/**
 * Creates a file. By default all files have the same modification time, so files with the same name
 * and size count as the same file.
 */
const fileOf = (
  name: string,
  content: string | Uint8Array<ArrayBuffer> = `bytes of ${name}`,
  lastModified = 0,
) => new File([content], name, { lastModified });
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
/**
 * Number of files that are being read. Everything else in the queue and its server happens
 * immediately.
 */
let reading = 0;
async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  reading += 1;
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    reading -= 1;
  }
}
const hasher: Hasher = { sha256: async (blob) => digestOf(await bytesOf(blob)) };

interface StoredUpload extends UploadMetadata {
  readonly chunks: { size: number; sha256: string }[];
  bytes: Buffer;
}

/**
 * An in-memory server. The next chunks fail, each with one of `faults`. Chunks wait until `gate`
 * resolves.
 */
class FakeServer implements UploadApi {
  readonly uploads = new Map<number, StoredUpload>();
  readonly archives = new Map<string, Buffer>();
  faults: unknown[] = [];
  gate: Promise<void> = Promise.resolve();
  sending = 0;
  maxSending = 0;
  sent = 0;

  async listUnfinished(): Promise<UploadRecord[]> {
    const unfinished = [...this.uploads].filter(([, stored]) => stored.bytes.length < stored.size);
    return unfinished.map(([id, stored]) => this.#record(id, stored));
  }
  async readUpload(id: number) {
    const stored = this.uploads.get(id);
    if (stored === undefined) throw new Refusal(404, 'not found');
    return { ...this.#record(id, stored), chunks: stored.chunks };
  }
  async beginUpload(file: UploadMetadata): Promise<number> {
    if (this.archives.has(file.filename) && !file.replaces)
      throw new Refusal(409, 'archive exists');
    const id = this.uploads.size + 1;
    this.uploads.set(id, { ...file, chunks: [], bytes: Buffer.alloc(0) });
    return id;
  }
  async sendChunk(
    id: number,
    chunk: Blob,
    { offset, sha256, signal }: Parameters<UploadApi['sendChunk']>[2],
  ) {
    this.sending += 1;
    this.sent += 1;
    this.maxSending = Math.max(this.maxSending, this.sending);
    await this.gate;
    this.sending -= 1;
    signal.throwIfAborted();
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
    const stored = this.uploads.get(id);
    if (stored === undefined) throw new Refusal(404, 'not found');
    if (stored.bytes.length !== offset) throw new Refusal(409, 'wrong offset');
    const bytes = Buffer.from(await bytesOf(chunk));
    if (!digestOf(bytes).equals(Buffer.from(sha256))) throw new Refusal(460, 'checksum mismatch');
    stored.bytes = Buffer.concat([stored.bytes, bytes]);
    stored.chunks.push({ size: bytes.length, sha256: digestOf(bytes).toString('hex') });
    if (stored.bytes.length === stored.size) this.archives.set(stored.filename, stored.bytes);
    return stored.bytes.length;
  }
  async removeUpload(id: number): Promise<void> {
    this.uploads.delete(id);
  }
  async listOfSize(_system: string, size: number) {
    const same = [...this.archives].filter(([, bytes]) => bytes.length === size);
    return same.map(([name, bytes]) => ({ name, sha256: digestOf(bytes).toString('hex') }));
  }

  #record(id: number, { filename, system, size, bytes }: StoredUpload): UploadRecord {
    const state = bytes.length === size ? 'done' : 'receiving';
    const rest = { detail: null, expires_at: null };
    return { id, filename, system, size, offset: bytes.length, state, ...rest };
  }
}

function useQueue() {
  const server = new FakeServer();
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const queue = new UploadQueue({ api: server, hasher, pause });
  const settled = async () => {
    for (let calm = 0; calm < 20; calm = reading === 0 ? calm + 1 : 0)
      await new Promise((done) => setImmediate(done));
  };
  const states = () => queue.all.map(({ state }: FileUpload) => state);
  return { server, queue, pauses, settled, states };
}

describe('the upload queue', () => {
  test('sends files three at a time and unchanged', async () => {
    const { server, queue, settled, states } = useQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    const names = Array.from({ length: 7 }, (_, at) => `${at}.zip`);
    queue.add(
      names.map((name) => fileOf(name)),
      'games',
    );
    await settled();
    expect([server.maxSending, queue.isUnfinished]).toEqual([3, true]);
    expect(states().filter((state) => state === 'waiting')).toHaveLength(4);
    resolve();
    await settled();
    expect(new Set(states())).toEqual(new Set(['done']));
    expect([server.maxSending, queue.isUnfinished]).toEqual([3, false]);
    expect(server.archives.get('6.zip')?.toString()).toBe('bytes of 6.zip');
  });

  test('sends a file in chunks of 16 MiB and resends a corrupted one', async () => {
    const { server, queue, settled, states } = useQueue();
    const bytes = new Uint8Array(chunkBytes + 5).fill(7);
    server.faults = [new Refusal(460, 'checksum mismatch')];
    queue.add([fileOf('big.iso', bytes)], 'games');
    await settled();
    expect(states()).toEqual(['done']);
    expect([server.sent, server.archives.get('big.iso')?.length]).toEqual([3, bytes.length]);
  });

  test('resumes by itself with growing pauses when the server was unreachable', async () => {
    const { server, queue, settled, pauses, states } = useQueue();
    server.faults = [new Unreachable(), new Refusal(503, 'busy'), new Unreachable()];
    queue.add([fileOf('a.zip')], 'games');
    await settled();
    expect([states(), pauses]).toEqual([['done'], [1000, 2000, 4000]]);
  });

  test('fails on a permanent refusal and tries again on demand', async () => {
    const { server, queue, settled, states } = useQueue();
    server.faults = [new Refusal(507, 'insufficient storage')];
    const [upload] = queue.add([fileOf('a.zip')], 'games');
    await settled();
    expect([states(), upload?.failure]).toEqual([['failed'], expect.any(Refusal)]);
    if (upload) queue.resume(upload);
    await settled();
    expect(states()).toEqual(['done']);
  });

  test('pauses when the session ended and resumes on sign-in', async () => {
    const { server, queue, settled, states } = useQueue();
    server.faults = [new Refusal(401, 'not authenticated')];
    queue.add([fileOf('a.zip')], 'games');
    await settled();
    expect(states()).toEqual(['paused']);
    queue.resumeAfterSignIn();
    await settled();
    expect(states()).toEqual(['done']);
  });

  test('reports a file that the store already has, without sending it', async () => {
    const { server, queue, settled } = useQueue();
    server.archives.set('other name.zip', Buffer.from('same bytes'));
    const [same, other] = queue.add(
      [fileOf('a.zip', 'same bytes'), fileOf('b.zip', 'same size!')],
      'games',
    );
    await settled();
    expect([same?.state, same?.twin, other?.state]).toEqual(['here', 'other name.zip', 'done']);
    expect(server.sent).toBe(1);
  });

  test('asks about a taken name, once or for all files', async () => {
    const { server, queue, settled, states } = useQueue();
    for (const name of ['a.zip', 'b.zip', 'c.zip']) server.archives.set(name, Buffer.from('old'));
    const [a, b] = queue.add(
      [fileOf('a.zip'), fileOf('b.zip'), fileOf('c.zip'), fileOf('d.zip')],
      'games',
    );
    await settled();
    expect(states()).toEqual(['taken', 'taken', 'taken', 'done']);
    if (a) queue.decide(a, 'skip', false);
    if (b) queue.decide(b, 'replace', true);
    await settled();
    expect(states()).toEqual(['skipped', 'done', 'done', 'done']);
    expect(server.archives.get('a.zip')?.toString()).toBe('old');
    expect(server.archives.get('c.zip')?.toString()).toBe('bytes of c.zip');
  });

  test('sends a second file of the same name after the first and asks; adds the same file once', async () => {
    const { server, queue, settled, states } = useQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    const first = fileOf('a.zip', 'first');
    queue.add([first, fileOf('a.zip', 'second file'), first], 'games');
    await settled();
    expect([states(), server.sending]).toEqual([['sending', 'waiting'], 1]);
    queue.add([first], 'games');
    resolve();
    await settled();
    expect(states()).toEqual(['done', 'taken']);
    const [, second] = queue.all;
    if (second) queue.decide(second, 'replace', false);
    await settled();
    expect([states(), server.archives.get('a.zip')?.toString()]).toEqual([
      ['done', 'done'],
      'second file',
    ]);
  });

  test('resumes where it was paused and drops the upload on the server when cancelled', async () => {
    const { server, queue, settled, states } = useQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    const [one, two] = queue.add([fileOf('a.zip'), fileOf('b.zip')], 'games');
    await settled();
    if (one) queue.pause(one);
    if (two) await queue.cancel(two);
    resolve();
    await settled();
    expect([states(), [...server.uploads.keys()]]).toEqual([['paused'], [1]]);
    if (one) queue.resume(one);
    await settled();
    expect(states()).toEqual(['done']);
  });

  test('resumes after a reload with the same file and refuses another one of that name', async () => {
    const { server, queue, settled, states } = useQueue();
    const bytes = new Uint8Array(chunkBytes + 9).fill(1);
    const id = await server.beginUpload({
      filename: 'a b.iso',
      system: 'games',
      size: bytes.length,
      replaces: false,
    });
    const first = new Blob([bytes.subarray(0, chunkBytes)]);
    const signal = new AbortController().signal;
    const sha256 = digestOf(bytes.subarray(0, chunkBytes));
    await server.sendChunk(id, first, { offset: 0, sha256, signal, onProgress: () => {} });
    const changed = bytes.slice();
    changed[5] = 2;
    const [other] = queue.add([fileOf('a b!.iso', changed)], 'games');
    await settled();
    expect([states(), server.sent]).toEqual([['other'], 1]);
    if (other) await queue.cancel(other);
    expect(server.uploads.size).toBe(1);
    queue.add([fileOf('a b!.iso', bytes)], 'games');
    await settled();
    expect([states(), server.sent]).toEqual([['done'], 2]);
    expect(server.archives.get('a b.iso')?.equals(bytes)).toBe(true);
  });

  test('drops the unfinished upload of that name when the upload is started anew', async () => {
    const { server, queue, settled, states } = useQueue();
    await server.beginUpload({ filename: 'a.zip', system: 'games', size: 99, replaces: false });
    const [upload] = queue.add([fileOf('a.zip')], 'games');
    await settled();
    expect(states()).toEqual(['other']);
    if (upload) await queue.restart(upload);
    await settled();
    expect([states(), server.archives.get('a.zip')?.toString()]).toEqual([
      ['done'],
      'bytes of a.zip',
    ]);
  });

  test('does not add a file twice while it is uploading and clears finished ones', async () => {
    const { server, queue, settled, states } = useQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    queue.add([fileOf('a.zip')], 'games');
    expect(queue.add([fileOf('a.zip'), fileOf('b.zip')], 'games')).toHaveLength(1);
    expect(queue.add([fileOf('b.zip', undefined, 1)], 'games')).toHaveLength(1);
    resolve();
    await settled();
    expect(states()).toEqual(['done', 'done', 'here']);
    queue.clear();
    expect(queue.all).toEqual([]);
  });
});
