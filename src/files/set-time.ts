import { type FileHandle, open } from 'node:fs/promises';

/**
 * Gives a file a time of modification, as near as the system lets it be. Checksums are recorded for a time to the nanosecond,
 * which a number of seconds does not hold: what Catalog itself set from a number comes out again, by libuv with nanoseconds
 * at once, by one that cuts to microseconds with half of one more. Returns the time that it has then.
 */
export async function setTime(handle: FileHandle, wantedNs: bigint): Promise<bigint> {
  // The nearest number: a division of the nanoseconds would round twice.
  const seconds = Number(`${wantedNs}e-9`);
  let mtimeNs = 0n;
  for (const time of [seconds, seconds + 5e-7]) {
    await handle.utimes(time, time);
    ({ mtimeNs } = await handle.stat({ bigint: true }));
    if (mtimeNs === wantedNs) break;
  }
  return mtimeNs;
}

/** The same by its path; safe on disk when it resolves. */
export async function giveTime(path: string, wantedNs: bigint): Promise<bigint> {
  const handle = await open(path, 'r');
  try {
    const { mtimeNs } = await handle.stat({ bigint: true });
    if (mtimeNs === wantedNs) return mtimeNs;
    const given = await setTime(handle, wantedNs);
    await handle.sync();
    return given;
  } finally {
    await handle.close();
  }
}
