import { createSHA256 } from 'hash-wasm';
import type { HashAnswer, HashQuestion } from './hasher.ts';

// This worker hashes files, so that the page stays responsive. The browser's own digest function
// accepts only whole buffers, and is not available over plain HTTP.

const given = new Set<number>();

addEventListener('message', ({ data }: MessageEvent<HashQuestion>) => {
  if ('giveUp' in data) given.delete(data.giveUp);
  else void answer(data);
});

async function answer({ id, blob }: { id: number; blob: Blob }): Promise<void> {
  given.add(id);
  try {
    const sha256 = await hash(id, blob);
    if (sha256 !== null) tell({ id, sha256 });
  } catch (error) {
    tell({ id, failure: String(error) });
  }
  given.delete(id);
}

/** Returns the SHA-256 of a file. Returns null if the page has cancelled the request. */
async function hash(id: number, blob: Blob): Promise<Uint8Array | null> {
  const hasher = await createSHA256();
  const reader = blob.stream().getReader();
  let done = 0;
  for (let told = 0; ; ) {
    const { value } = await reader.read();
    if (value === undefined) return hasher.digest('binary');
    if (!given.has(id)) {
      await reader.cancel();
      return null;
    }
    hasher.update(value);
    done += value.byteLength;
    if (done - told >= tellEvery) {
      told = done;
      tell({ id, done });
    }
  }
}

/** Number of bytes hashed between two progress messages. */
const tellEvery = 8 * 1_048_576;

function tell(message: HashAnswer): void {
  postMessage(message);
}
