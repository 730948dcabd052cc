import type { Worker } from 'node:cluster';

/** A connection that node:cluster passes to a worker. */
interface Handle {
  close(): void;
}

/**
 * Closes a connection that was sent to a worker but not accepted before the worker ended. Otherwise
 * the connection would stay open in this process, and the client would wait forever. Only the last
 * connection needs closing, because connections are sent one at a time.
 */
export function closeLostConnection({ process: child }: Worker): void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: Handle | undefined;
  Object.assign(child, {
    send(message: unknown, handle?: Handle, ...rest: unknown[]) {
      if (typeof handle?.close === 'function') last = handle;
      return send(message, handle, ...rest);
    },
  });
  // If the worker accepted the connection, this process has already closed its own copy. Closing
  // the copy again has no effect.
  child.once('exit', () => last?.close());
}
