import { type FileHandle, open } from 'node:fs/promises';
import { secondsOf } from '../../core/shared/settable-time.ts';

/**
 * Sets the modification time of a file as exactly as the system allows, and returns the resulting
 * time. Times are in nanoseconds since 1970. The exact time matters, because checksums are recorded
 * together with it. But the system call takes a number of seconds, which cannot represent every
 * nanosecond. A time that Catalog itself set from a number is always restored exactly. If libuv
 * supports nanoseconds, the first attempt is exact. If libuv truncates to microseconds, the second
 * attempt, which adds half a microsecond, is exact.
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

/**
 * Sets the modification time of the file at this path, and syncs the file to disk. Returns the time
 * that the file then has, in nanoseconds since 1970.
 */
export async function setFileTime(path: string, wantedNs: bigint): Promise<bigint> {
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
