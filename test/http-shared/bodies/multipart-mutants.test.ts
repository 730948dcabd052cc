import * as fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, openFiles, request } from '../server.ts';
import { FORM, filePart, form, part, startUploadServer } from '../upload-server.ts';

/** Number of mutants in `npm test` and in the full run. */
const MUTANTS = [150, 2_000];
const SEED = 20260101;

/** Returns a pseudorandom generator (Mulberry32). The same seed always yields the same numbers. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const SNIPPETS = [
  '--b0undary',
  '--b0undary--',
  '\r\n--b0undary\r\n',
  '\r\n\r\n',
  '\r',
  '\n',
  '\0',
  '"',
  '\\',
  ';',
  '=',
  "*=x''%",
  '%',
  'name=constructor',
  '; filename="__proto__"',
  'Content-Disposition: form-data; name="file"; filename="z"\r\n',
  'Content-Type: text/plain; charset=\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  ': \r\n',
  '\r\n continued',
  'ÿþ',
  "; filename*=utf-16le''%00%D8",
  '-',
  '--',
  'x'.repeat(20_000),
  'A: b\r\n'.repeat(200),
];

function mutate(original: Buffer, random: (below: number) => number): Buffer {
  let body = Buffer.from(original);
  for (let rounds = 1 + random(4); rounds > 0; rounds--) {
    // Most changes are in the structure of the form, not in the bytes of the file.
    const at = random(2) ? random(body.length + 1) : random(Math.min(body.length, 400) + 1);
    const length = random(random(2) ? 4 : 200);
    const rest = body.subarray(at);
    const insert = (bytes: Buffer) => Buffer.concat([body.subarray(0, at), bytes, rest]);
    const step = random(6);
    if (step === 0) body = body.subarray(0, at);
    else if (step === 1) body = Buffer.concat([body.subarray(0, at), rest.subarray(length)]);
    else if (step === 2)
      body = insert(Buffer.from(body.subarray(random(body.length + 1)).subarray(0, length)));
    else if (step === 3) body = insert(Buffer.from(SNIPPETS[random(SNIPPETS.length)] ?? ''));
    else if (step === 4 && at < body.length) body[at] = random(256);
    else body = insert(Buffer.from(Array.from({ length }, () => random(256))));
  }
  return body;
}

const uncaught: unknown[] = [];
const recordError = (reason: unknown) => uncaught.push(reason);
let server: Awaited<ReturnType<typeof startUploadServer>>;
let port: number;
beforeAll(async () => {
  process.on('unhandledRejection', recordError).on('uncaughtException', recordError);
  // Store the files in memory if possible, because 1,000 uploads are synced.
  server = await startUploadServer(fs.existsSync('/dev/shm') ? { top: '/dev/shm' } : {});
  port = await server.listen();
});
afterAll(async () => {
  process.off('unhandledRejection', recordError).off('uncaughtException', recordError);
  await server.stop();
});

/** Sends a body in pieces of `size` bytes, so that delimiters span several reads. */
async function sendPieces(port: number, body: Buffer, size: number): Promise<number> {
  const { socket, closed } = connect(port);
  socket.setNoDelay(true);
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  for (let at = 0; at < body.length; at += size) {
    socket.write(body.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Number((await closed).slice(9, 12));
}

describe('the multipart reader', () => {
  for (const count of MUTANTS) {
    const tags: 'full'[] = count === MUTANTS[0] ? [] : ['full'];
    test(
      `handles ${count} mutated bodies without a crash, a hang, an open file or a leftover file`,
      { tags },
      () => expectNothingOf(count),
    );
  }
});

async function expectNothingOf(count: number): Promise<void> {
  const random = seeded(SEED);
  const original = form(
    part('Content-Disposition: form-data; name="note"', 'a note'),
    filePart(
      'name="file"; filename="a \\"b\\".iso"',
      Buffer.from(Array.from({ length: 70_000 }, () => random(256))),
    ),
    filePart('name="other"; filename*=UTF-8\'\'%C3%A4', 'other'),
  );
  await request(port, { method: 'POST', headers: { 'content-type': FORM } }, original);
  const baseline = openFiles();
  const filesBefore = fs.readdirSync(server.folder).length;
  const counts: Record<number, number> = {};
  for (let i = 0; i < count; i++) {
    const body = mutate(original, random);
    const status = await (i % 4 === 0
      ? sendPieces(port, body, 1 + Math.floor(body.length / (1 + random(60))))
      : request(port, { method: 'POST', headers: { 'content-type': FORM } }, body).then(
          (response) => response.status,
        ));
    counts[status] = (counts[status] ?? 0) + 1;
    expect([200, 400, 422], `mutant ${i}`).toContain(status);
    expect(server.unfinished(), `mutant ${i}`).toBe(0);
  }
  console.log('answers', counts);
  expect(uncaught).toEqual([]);
  expect(fs.readdirSync(server.folder)).toHaveLength((counts[200] ?? 0) + filesBefore);
  expect(counts[400]).toBeGreaterThan(count / 20);
  await expect.poll(openFiles).toBeLessThanOrEqual(baseline);
}
