/**
 * Returns the modification time nearest to `wantedNs` that a file can be given. Node takes a time
 * as a floating-point number of seconds, and truncates it to nanoseconds. Such numbers represent
 * only some nanoseconds, at present every 238th. The database records this time for an object, so
 * that a file copied from the object can have the same time.
 */
export function settableTime(wantedNs: bigint): bigint {
  const seconds = secondsOf(wantedNs);
  const whole = Math.trunc(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(Math.trunc((seconds - whole) * 1e9));
}

/**
 * Converts nanoseconds to seconds as the nearest floating-point number. A division would round
 * twice.
 */
export function secondsOf(timeNs: bigint): number {
  return Number(`${timeNs}e-9`);
}
