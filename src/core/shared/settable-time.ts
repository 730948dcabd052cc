/**
 * Returns the time nearest to the wanted one that a file can be given. Node sets times as a number
 * of seconds, which cannot hold every nanosecond (at present every 238th), and truncates the rest.
 * The database records such a time for an object, so that the file has the same one when it is
 * copied into a folder.
 */
export function settableTime(wantedNs: bigint): bigint {
  const seconds = secondsOf(wantedNs);
  const whole = Math.trunc(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(Math.trunc((seconds - whole) * 1e9));
}

/** Returns the nearest number of seconds; dividing the nanoseconds would round twice. */
export function secondsOf(timeNs: bigint): number {
  return Number(`${timeNs}e-9`);
}
