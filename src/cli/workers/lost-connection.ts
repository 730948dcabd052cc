import type { Worker } from 'node:cluster';

/** A connection as node:cluster hands it over. */
interface Handle {
  close(): void;
}

/**
 * A connection that was handed to a worker which ended before it took it stays open in this process for ever, and its
 * client waits: it is closed with the worker. They are handed over one by one.
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
  // Does nothing to one that was taken: it is closed here then.
  child.once('exit', () => last?.close());
}
