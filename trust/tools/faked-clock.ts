import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** Path of the library of Debian's package faketime; undefined if not installed. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/**
 * Returns the reason why the clock of a program cannot be faked on this machine; null if it can.
 */
export const clockSkipReason = () => (library === undefined ? 'needs the package faketime' : null);

/** A fake wall clock for programs that are started with `env`, and for their child processes. */
export interface FakedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets the offset from the machine's clock, such as `+1d`, `-1d` or `+0`. */
  set(offset: string): void;
}

/**
 * Makes a fake wall clock. On each call, programs read the offset from `file`. The programs'
 * monotonic clock and timers are not affected.
 */
export function makeClock(file: string): FakedClock {
  const set = (offset: string) => {
    writeFileSync(`${file}-new`, offset);
    renameSync(`${file}-new`, file); // atomic, so that no program reads a partial file
  };
  set('+0');
  return {
    set,
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  };
}
