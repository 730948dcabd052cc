import type { IncomingMessage } from 'node:http';
import type { BusboyInstance } from '@fastify/busboy';
import { bodyTooLarge, malformedUpload } from '../../core/shared/errors.ts';

const MOST_OVERHEAD = 1024 * 1024;

/**
 * Gives a request's body to a parser, chunk by chunk, until the function that it returns is called. Piping by hand,
 * because a parser that throws must not end the process, and a failure must not destroy the request, which is still to
 * be answered. Beside a file of at most `maxBytes` there may be as much again that is ignored.
 */
export function feed(
  raw: IncomingMessage,
  parser: BusboyInstance,
  fail: (error: Error) => void,
  maxBytes = Infinity,
): () => void {
  let isFeeding = true;
  let rest = 2 * maxBytes + MOST_OVERHEAD;
  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      fail(malformedUpload(error));
    }
  }
  function onData(chunk: Buffer): void {
    raw.pause();
    rest -= chunk.byteLength;
    if (rest < 0) fail(bodyTooLarge());
    else attempt(() => parser.write(chunk, () => isFeeding && raw.resume()));
  }
  const onEnd = () => attempt(() => parser.end());
  function onClose(): void {
    if (!raw.complete) fail(malformedUpload(new Error('the client left')));
  }
  raw.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  if (raw.readableEnded) onEnd();
  else if (raw.destroyed) onClose();
  return () => {
    isFeeding = false;
    raw.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    if (!raw.readableEnded) raw.pause();
  };
}
