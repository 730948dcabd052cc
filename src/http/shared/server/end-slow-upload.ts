import type { IncomingMessage } from 'node:http';

const checkIntervalMs = 1_000;
const windowMs = 60_000;
/** Minimum number of bytes that an upload must deliver per window, at a rate of 1 KiB/s. */
const minBytesPerWindow = (windowMs / 1_000) * 1_024;

/**
 * Closes the connection of an upload that delivers less than 1 KiB/s over a minute. Time during
 * which received bytes wait for the server does not count. Returns a function that ends the watch.
 */
export function endSlowUpload(raw: IncomingMessage): () => void {
  const { socket } = raw;
  let waitedMs = 0;
  let bytesBefore = socket.bytesRead;
  const check = () => {
    if (raw.readableLength > 0 || raw.complete) return;
    waitedMs += checkIntervalMs;
    if (waitedMs < windowMs) return;
    if (socket.bytesRead - bytesBefore < minBytesPerWindow) raw.destroy();
    waitedMs = 0;
    bytesBefore = socket.bytesRead;
  };
  const timer = setInterval(check, checkIntervalMs);
  return () => clearInterval(timer);
}
