import { createSHA256 } from 'hash-wasm';
import type { HashRequest, HashResponse } from './hasher.ts';

// This worker hashes files, so that the page stays responsive. The browser's own digest function
// accepts only whole buffers, and is not available over plain HTTP.

const pendingIds = new Set<number>();

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  if ('giveUp' in data) pendingIds.delete(data.giveUp);
  else void handleRequest(data);
});

async function handleRequest({ id, blob }: { id: number; blob: Blob }): Promise<void> {
  pendingIds.add(id);
  try {
    const sha256 = await hash(id, blob);
    if (sha256 !== null) sendMessage({ id, sha256 });
  } catch (error) {
    sendMessage({ id, failure: String(error) });
  }
  pendingIds.delete(id);
}

/** Returns the SHA-256 of a file. Returns null if the page has cancelled the request. */
async function hash(id: number, blob: Blob): Promise<Uint8Array | null> {
  const hasher = await createSHA256();
  const reader = blob.stream().getReader();
  let done = 0;
  for (let reported = 0; ; ) {
    const { value } = await reader.read();
    if (value === undefined) return hasher.digest('binary');
    if (!pendingIds.has(id)) {
      await reader.cancel();
      return null;
    }
    hasher.update(value);
    done += value.byteLength;
    if (done - reported >= progressInterval) {
      reported = done;
      sendMessage({ id, done });
    }
  }
}

/** Number of bytes hashed between two progress messages. */
const progressInterval = 8 * 1_048_576;

function sendMessage(message: HashResponse): void {
  postMessage(message);
}
