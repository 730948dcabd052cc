/**
 * Returns the time nearest to `wantedNs` that Node can set as the modification time of a file. Node
 * takes a time as a floating-point number of seconds, and truncates the time to nanoseconds. At
 * present, such a number can represent only every 238th nanosecond. The database records the
 * returned time for an object. A file that is copied from the object can then have the same time.
 */
export function settableTime(wantedNs: bigint): bigint {
  const seconds = secondsOf(wantedNs);
  const whole = Math.trunc(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(Math.trunc((seconds - whole) * 1e9));
}

/**
 * Converts nanoseconds to the nearest floating-point number of seconds. Parses the number from
 * text, because a division would round twice.
 */
export function secondsOf(timeNs: bigint): number {
  return Number(`${timeNs}e-9`);
}
