import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** The library of Debian's package faketime. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** Returns why the clock of a program cannot be faked here; null if it can. */
export const lackOfClock = () => (library === undefined ? 'needs the package faketime' : null);

/** The wall clock of programs started with `env`, and of their child processes. */
export interface FakedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets the offset from the machine's clock: `+1d`, `-1d`, `+0`. */
  set(ahead: string): void;
}

/**
 * Makes a clock that programs read from `file` on each call. Their monotonic clock and their timers
 * are not affected.
 */
export function makeClock(file: string): FakedClock {
  const set = (ahead: string) => {
    writeFileSync(`${file}-new`, ahead);
    renameSync(`${file}-new`, file); // atomic, so that no program reads half of it
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
