import { parentPort } from 'node:worker_threads';
import { failureOf } from '../file-failure.ts';
import { unpackAll } from './seven-zip-program.ts';
import {
  MAX_WAITING,
  PROGRESS,
  TURNS,
  UNPACKED_PIECE,
  type UnpackReply,
  type UnpackRequest,
  WAITING,
} from './unpack-thread.ts';

// Do not catch errors of `unpack`, because they are bugs. The thread then ends, and the parent
// thread receives the error with its stack.
parentPort?.on('message', (request: UnpackRequest) => send(unpack(request)));

function unpack({ program, path, format, maxBytes, counts, pieces }: UnpackRequest): UnpackReply {
  let sent = 0;
  const onPiece = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += UNPACKED_PIECE) {
      waitForSlot(counts);
      const part = bytes.subarray(at, at + UNPACKED_PIECE);
      const start = (sent % MAX_WAITING) * UNPACKED_PIECE;
      const piece = pieces.subarray(start, start + part.length);
      piece.set(part);
      sent += 1;
      Atomics.add(counts, WAITING, 1);
      send({ piece });
    }
  };
  const watch = {
    runs: () => Atomics.add(counts, TURNS, 1),
    waits: () => Atomics.add(counts, TURNS, 1),
    madeProgress: () => Atomics.add(counts, PROGRESS, 1),
  };
  try {
    return { memory: unpackAll(program, { path, format, maxBytes }, onPiece, watch) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { failure };
  }
}

function waitForSlot(counts: Int32Array): void {
  for (let count = Atomics.load(counts, WAITING); count >= MAX_WAITING; ) {
    Atomics.wait(counts, WAITING, count);
    count = Atomics.load(counts, WAITING);
  }
}

function send(reply: UnpackReply): void {
  parentPort?.postMessage(reply);
}
