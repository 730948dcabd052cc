import type { Departure } from '../../http/shared/server/departure.ts';
import type { HttpApp } from '../../http/shared/server/server.ts';
import type { StopSignal } from '../stop-signal.ts';

/**
 * How long a server serves requests on open connections after it has closed its port, in
 * milliseconds. Later requests are refused, because a client could otherwise delay the stop.
 */
const servesOnMs = 2_000;

/**
 * Stops a server in three steps. First, it refuses health checks but keeps serving, so that load
 * balancers leave it. Then it closes its port and serves the requests that still arrive on open
 * connections. Last, it refuses new requests and waits for the running ones. After `withinMs`
 * milliseconds in all, or at a second signal, the remaining connections are closed.
 */
export async function stopServing(parts: {
  app: HttpApp;
  departure: Departure;
  stop: StopSignal;
  withinMs: number;
  /** Called when new requests must be refused. */
  onRefusing: () => void;
  /** Interrupts the jobs. Kills those that still run after `withinMs` milliseconds. */
  closeJobs: (withinMs: number) => Promise<void>;
}): Promise<void> {
  const { app, departure, stop, withinMs } = parts;
  const until = performance.now() + withinMs;
  const forceStop = new AbortController();
  stop.onSecond(() => forceStop.abort());
  await departure.announce(withinMs, forceStop.signal);
  const leftMs = Math.max(0, until - performance.now());
  await Promise.all([closeApp(app, leftMs, { ...parts, forceStop }), parts.closeJobs(leftMs)]);
}

async function closeApp(
  app: HttpApp,
  withinMs: number,
  { forceStop, onRefusing }: { forceStop: AbortController; onRefusing: () => void },
): Promise<void> {
  const closed = app.close();
  const cut = () => app.server.closeAllConnections();
  const timers = [setTimeout(onRefusing, servesOnMs), setTimeout(cut, withinMs)];
  if (forceStop.signal.aborted) cut();
  else forceStop.signal.addEventListener('abort', cut);
  await closed;
  for (const timer of timers) clearTimeout(timer);
}
