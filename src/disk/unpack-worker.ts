import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { failureOf } from './file-failure.ts';
import { unpackAll } from './seven-zip-program.ts';
import type { UnpackReply, UnpackRequest } from './unpack-thread.ts';

/** Pieces that wait to be taken. */
const MOST_WAITING = 4;

const program = createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm');
const compiled = WebAssembly.compile(readFileSync(program));

parentPort?.on('message', (request: UnpackRequest) => {
  // A rejection is a bug: nothing catches it, so that it ends the thread and reaches its parent with its stack.
  void unpack(request).then(send);
});

async function unpack({ path, format, most, waiting }: UnpackRequest): Promise<UnpackReply> {
  try {
    const memory = await unpackAll(await compiled, { path, format, most }, (piece) => {
      const bytes = Uint8Array.prototype.slice.call(piece);
      Atomics.add(waiting, 0, 1);
      send({ piece: bytes }, [bytes.buffer]);
      for (let count = Atomics.load(waiting, 0); count >= MOST_WAITING; ) {
        Atomics.wait(waiting, 0, count);
        count = Atomics.load(waiting, 0);
      }
    });
    return { memory };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { failure };
  }
}

function send(reply: UnpackReply, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transferred);
}
