import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { HashReply, HashRequest } from './hash-messages.ts';

const hashes = new Map<number, Hash>();

parentPort?.on('message', (request: HashRequest) => {
  if (request.action === 'start') hashes.set(request.id, createHash(request.algorithm));
  if (request.action === 'copy') hashes.set(request.to, hashOf(request.id).copy());
  if (request.action === 'drop') hashes.delete(request.id);
  if (request.action === 'update') {
    for (const id of request.ids) hashOf(id).update(request.bytes);
    reply(null);
  }
  if (request.action === 'transfer') {
    const hash = hashOf(request.id);
    for (const piece of request.pieces) {
      hash.update(piece);
      free(piece);
    }
    reply(null);
  }
  if (request.action === 'end') {
    reply(hashOf(request.id).digest());
    hashes.delete(request.id);
  }
});

/**
 * Frees the memory of a piece. Otherwise V8 would free it only at its next collection, and much
 * memory would accumulate.
 */
function free({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function hashOf(id: number): Hash {
  const hash = hashes.get(id);
  if (hash === undefined) throw new Error(`there is no hash ${id}`);
  return hash;
}

/** Sends a reply. Replies must be in the order of their requests. */
function reply(message: HashReply): void {
  parentPort?.postMessage(message);
}
