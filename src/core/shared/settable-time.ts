/**
 * The time nearest to the wanted one that a file can be given: Node sets times as a number of seconds, which does not hold
 * every nanosecond (of these years each 238th), and cuts the rest. A time that a database records for an object is such a
 * one, so that the file has the same when it is copied into a folder.
 */
export function settableTime(wantedNs: bigint): bigint {
  const seconds = secondsOf(wantedNs);
  const whole = Math.trunc(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(Math.trunc((seconds - whole) * 1e9));
}

/** The nearest number of seconds: a division of the nanoseconds would round twice. */
export function secondsOf(timeNs: bigint): number {
  return Number(`${timeNs}e-9`);
}
