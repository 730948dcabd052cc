import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openUserClient } from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import { openSocket, requestHeader, uploadFrame, waitForText } from '../tools/raw-socket.ts';
import type { Trial } from '../trial.ts';

const trials = 5;
/** Number of concurrent uploads, and also of concurrent downloads. */
const concurrency = 10;
const size = 4 * 1_048_576;
const maxS = 30;

/** Checks that a server finishes running requests after SIGTERM and accepts no new requests. */
export const terminate: Check = {
  name: 'terminate',
  control: {
    what: 'running requests get no time',
    changes: [
      {
        file: 'src/cli/server/stop-serving.ts',
        from: 'setTimeout(cut, withinMs)',
        to: 'setTimeout(cut, withinMs / 1000)',
      },
    ],
  },
  async measure(trial) {
    const all = { cut: 0, accepted: 0, slowestRefusalMs: 0, slowestEndS: 0, codes: 0, lost: 0 };
    for (let i = 0; i < trials; i += 1) {
      const one = await stopUnderLoad(trial, join(trial.folder, String(i)));
      all.cut += one.cut;
      all.accepted += one.accepted;
      all.codes += one.code === 0 ? 0 : 1;
      all.lost += one.lost;
      all.slowestRefusalMs = Math.max(all.slowestRefusalMs, one.refusalMs);
      all.slowestEndS = Math.max(all.slowestEndS, one.endS);
    }
    const unit = `of ${trials * 2 * concurrency}`;
    return [
      { what: 'interrupted uploads and downloads', value: all.cut, unit, max: 0 },
      { what: 'acknowledged uploads that are incomplete on disk', value: all.lost, unit, max: 0 },
      { what: 'new requests that were accepted', value: all.accepted, unit: '', max: 0 },
      { what: 'the slowest refusal', value: all.slowestRefusalMs, unit: 'ms', max: 250 },
      { what: 'the slowest end', value: all.slowestEndS, unit: 's', max: maxS },
      { what: 'exit codes other than 0', value: all.codes, unit: `of ${trials}`, max: 0 },
    ];
  },
};

async function stopUnderLoad(trial: Trial, data: string) {
  const server = await trial.startServer(data);
  const { token } = await openUserClient(server.url);
  const bytes = Buffer.alloc(size, 'some bytes of an archive ');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await (await openUserClient(server.url)).upload('kept.zip', Uint8Array.from(bytes));
  const idle = await openSocket(server.url);
  const resumeTransfers = Promise.withResolvers<void>();
  const authorization = { Authorization: `Bearer ${token}` };
  const ready: Promise<unknown>[] = [];
  const running = Array.from({ length: concurrency }, async (_, i) => {
    const down = await openSocket(server.url);
    const up = await openSocket(server.url);
    const received: Buffer[] = [];
    const isDown = Promise.withResolvers<void>();
    const isUp = Promise.withResolvers<void>();
    ready.push(isDown.promise, isUp.promise);
    down.on('data', (chunk) => {
      received.push(chunk);
      if (received.length === 1) {
        down.pause(); // a slow reader, which resumes after the server has received SIGTERM
        isDown.resolve();
      }
    });
    down.write(requestHeader('GET', '/api/store/download/games/kept.zip', authorization));
    const frame = uploadFrame(`up-${i}.zip`, size);
    const fields = { ...authorization, ...frame.fields, Expect: '100-continue' };
    const isBegun = waitForText(up, 'HTTP/1.1 100 ');
    up.write(requestHeader('POST', '/api/store/upload', fields));
    await isBegun; // otherwise the upload would count as a new request
    up.write(frame.before);
    up.write(bytes.subarray(0, size / 2), () => isUp.resolve());
    await resumeTransfers.promise;
    const responding = waitForText(up, 'HTTP/1.1 200 ');
    const closed = new Promise((resolve) => down.once('close', resolve));
    down.resume();
    await sendSlowly(up, bytes.subarray(size / 2));
    up.write(frame.after);
    const hasResponse = await responding;
    await Promise.race([closed, setTimeout(maxS * 1_000)]);
    const body = Buffer.concat(received);
    const whole = body.subarray(body.indexOf('\r\n\r\n') + 4);
    return { hasResponse, isWhole: whole.equals(bytes) };
  });
  while (ready.length < 2 * concurrency) await setTimeout(5);
  await Promise.all(ready);
  const stopped = performance.now();
  process.kill(server.pid, 'SIGTERM');
  await setTimeout(800); // an open connection is served until it was silent for half a second
  const sentAt = performance.now();
  const accepted = (
    await Promise.all([isAccepted(idle), isAccepted(await openSocket(server.url))])
  ).filter((was) => was).length;
  const refusalMs = performance.now() - sentAt;
  resumeTransfers.resolve();
  const ends = await Promise.all(running);
  const code = await server.ended;
  const endS = (performance.now() - stopped) / 1_000;
  const cut = ends.flatMap(({ hasResponse, isWhole }) => [hasResponse, isWhole]);
  const store = join(data, 'store/games');
  let lost = 0;
  for (const [i, { hasResponse }] of ends.entries()) {
    if (!hasResponse) continue;
    const stored = await readFile(join(store, `up-${i}.zip`)).catch(() => Buffer.alloc(0));
    if (createHash('sha256').update(stored).digest('hex') !== sha256) lost += 1;
  }
  const whole = ends.filter(({ hasResponse }) => hasResponse).length;
  if ((await readdir(store)).length !== whole + 1) lost += 1; // interrupted uploads leave no file
  return { cut: cut.filter((is) => !is).length, accepted, refusalMs, code, endS, lost };
}

/** Sends the bytes in ten parts, over about one second. */
async function sendSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  const parts = 10;
  for (let i = 0; i < parts; i += 1) {
    const [from, to] = [i, i + 1].map((n) => Math.floor((n * bytes.length) / parts));
    socket.write(bytes.subarray(from, to));
    await setTimeout(100);
  }
}

/** Returns true if the server still accepts a request on this connection. */
async function isAccepted(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return false;
  const done = waitForText(socket, 'HTTP/1.1 200 ');
  socket.write(requestHeader('GET', '/api/releases', { Connection: 'close' }));
  return done;
}
