import { parentPort } from 'node:worker_threads';
import { failureOf } from './file-failure.ts';
import { compileProgram, unpackAll } from './seven-zip-program.ts';
import {
  MOST_WAITING,
  UNPACKED_PIECE,
  type UnpackReply,
  type UnpackRequest,
} from './unpack-thread.ts';

const compiled = compileProgram();

parentPort?.on('message', (request: UnpackRequest) => {
  // A rejection is a bug: nothing catches it, so that it ends the thread and reaches its parent with its stack.
  void unpack(request).then(send);
});

async function unpack(request: UnpackRequest): Promise<UnpackReply> {
  const { path, format, most, waiting, pieces } = request;
  let sent = 0;
  try {
    const memory = await unpackAll(await compiled, { path, format, most }, (bytes) => {
      for (let at = 0; at < bytes.length; at += UNPACKED_PIECE) {
        waitForPlace(waiting);
        const part = bytes.subarray(at, at + UNPACKED_PIECE);
        const start = (sent % MOST_WAITING) * UNPACKED_PIECE;
        const piece = pieces.subarray(start, start + part.length);
        piece.set(part);
        sent += 1;
        Atomics.add(waiting, 0, 1);
        send({ piece });
      }
    });
    return { memory };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { failure };
  }
}

function waitForPlace(waiting: Int32Array): void {
  for (let count = Atomics.load(waiting, 0); count >= MOST_WAITING; ) {
    Atomics.wait(waiting, 0, count);
    count = Atomics.load(waiting, 0);
  }
}

function send(reply: UnpackReply): void {
  parentPort?.postMessage(reply);
}
