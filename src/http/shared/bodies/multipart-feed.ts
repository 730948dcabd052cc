import type { IncomingMessage } from 'node:http';
import type { BusboyInstance } from '@fastify/busboy';
import { bodyTooLarge, malformedUpload } from '../../../core/shared/errors.ts';
import { countStreamedBytes } from '../../../memory/collect-garbage.ts';
import { endSlowUpload } from '../server/end-slow-upload.ts';

/**
 * Maximum size of everything in an upload besides its file, in bytes: other parts, headers,
 * boundaries, preamble and epilogue.
 */
export const maxNonFileBytes = 1_048_576;

/**
 * Passes a request's body to a parser, chunk by chunk, until the returned function is called. Calls
 * `fail` with `body too large` if there are too many bytes besides the file. `fileBytes()` returns
 * how many of the file's bytes were parsed so far.
 *
 * `pipe` is unsuitable for two reasons. An error that the parser throws must not end the process. A
 * failure must not destroy the request, which still needs a response.
 */
export function feedParser(
  raw: IncomingMessage,
  parser: BusboyInstance,
  fail: (error: Error) => void,
  fileBytes: () => number,
): () => void {
  let isFeeding = true;
  let received = 0;
  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      fail(malformedUpload(error));
    }
  }
  function onData(chunk: Buffer): void {
    raw.pause();
    received += chunk.byteLength;
    countStreamedBytes(chunk.byteLength);
    attempt(() => parser.write(chunk, onParsed));
  }
  function onParsed(): void {
    if (!isFeeding) return;
    if (received - fileBytes() > maxNonFileBytes) fail(bodyTooLarge());
    else raw.resume();
  }
  const onEnd = () => attempt(() => parser.end());
  function onClose(): void {
    if (!raw.complete) fail(malformedUpload(new Error('the client left')));
  }
  const stopWatching = endSlowUpload(raw);
  raw.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  if (raw.readableEnded) onEnd();
  else if (raw.destroyed) onClose();
  return () => {
    isFeeding = false;
    stopWatching();
    raw.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    if (!raw.readableEnded) raw.pause();
  };
}
