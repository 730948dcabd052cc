import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Connection } from '../src/shell/connection.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/**
 * Returns a connection to a server that is unreachable at first, and the times of its requests in
 * seconds.
 */
function toServer() {
  const server = { isAway: true };
  const requestedAt: number[] = [];
  const start = Date.now();
  const connection = new Connection(async () => {
    requestedAt.push(Math.round((Date.now() - start) / 1000));
    if (server.isAway) throw new Error('away');
  });
  return { server, requestedAt, connection };
}

describe('the connection to the server', () => {
  test('retries after 1, 2 and then every 3 seconds', async () => {
    const { requestedAt, connection } = toServer();
    connection.recordReachability(false);
    expect([connection.isOffline, connection.secondsLeft]).toEqual([true, 1]);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(requestedAt).toEqual([1, 3, 6, 9, 12, 15]);
  });

  test('retries every 30 seconds in a hidden tab', async () => {
    vi.stubGlobal('document', { visibilityState: 'hidden' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { requestedAt, connection } = toServer();
    connection.recordReachability(false);
    await vi.advanceTimersByTimeAsync(65_000);
    expect(requestedAt).toEqual([30, 60]);
  });

  test('counts down to the next retry', async () => {
    const { connection } = toServer();
    connection.recordReachability(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(connection.secondsLeft).toBe(3);
    await vi.advanceTimersByTimeAsync(2000);
    expect(connection.secondsLeft).toBe(1);
  });

  test('starts no second countdown on further failures', async () => {
    const { requestedAt, connection } = toServer();
    connection.recordReachability(false);
    await vi.advanceTimersByTimeAsync(3500);
    connection.recordReachability(false);
    await vi.advanceTimersByTimeAsync(4000);
    expect(requestedAt).toEqual([1, 3, 6]);
  });

  test('reconnects when any request gets a response', async () => {
    const { server, requestedAt, connection } = toServer();
    connection.recordReachability(false);
    await vi.advanceTimersByTimeAsync(1500);
    server.isAway = false;
    await vi.advanceTimersByTimeAsync(1500);
    expect([connection.isOffline, connection.reconnectCount]).toEqual([false, 1]);
    connection.recordReachability(false);
    connection.recordReachability(true);
    expect([connection.isOffline, connection.reconnectCount]).toEqual([false, 2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requestedAt).toEqual([1, 3]);
  });

  test('retries at once on demand and continues the backoff from there', async () => {
    const { requestedAt, connection } = toServer();
    connection.recordReachability(false);
    await vi.advanceTimersByTimeAsync(1500);
    await connection.tryNow();
    expect([requestedAt.length, connection.secondsLeft]).toEqual([2, 3]);
  });
});
