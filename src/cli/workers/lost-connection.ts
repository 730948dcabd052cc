import type { Worker } from 'node:cluster';

/** A connection as node:cluster hands it over. */
interface Handle {
  close(): void;
}

/**
 * Closes a connection whose worker ended before it took it. It would otherwise stay open in this
 * process forever, and its client would wait. Connections are handed over one at a time.
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
  // Has no effect on a connection that was taken, because it is already closed here.
  child.once('exit', () => last?.close());
}
