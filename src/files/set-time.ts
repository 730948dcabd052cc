import { type FileHandle, open } from 'node:fs/promises';
import { secondsOf } from '../core/shared/settable-time.ts';

/**
 * Gives a file a time of modification, as near as the system lets it be. Checksums are recorded for a time to the nanosecond,
 * which a number of seconds does not hold: what Catalog itself set from a number comes out again, by libuv with nanoseconds
 * at once, by one that cuts to microseconds with half of one more. Returns the time that it has then.
 */
export async function setTime(handle: FileHandle, wantedNs: bigint): Promise<bigint> {
  const seconds = secondsOf(wantedNs);
  const first = await setSeconds(handle, seconds);
  if (first === wantedNs) return first;
  const second = await setSeconds(handle, seconds + 5e-7);
  if (distance(second, wantedNs) < distance(first, wantedNs)) return second;
  return setSeconds(handle, seconds);
}

async function setSeconds(handle: FileHandle, seconds: number): Promise<bigint> {
  await handle.utimes(seconds, seconds);
  return (await handle.stat({ bigint: true })).mtimeNs;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
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
