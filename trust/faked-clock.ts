import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** Of Debian's package faketime. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** Why no clock can be set here but the machine's; null where one can. */
export const lackOfClock = () => (library === undefined ? 'needs the package faketime' : null);

/** The wall clock of programs that are started with `env`, and of those that they start. */
export interface FakedClock {
  readonly env: Readonly<Record<string, string>>;
  /** How far it is ahead of the machine's: `+1d`, `-1d`, `+0`. */
  set(ahead: string): void;
}

/** `file` is where programs look at each call; their monotonic clock and their timers stay as they are. */
export function makeClock(file: string): FakedClock {
  const set = (ahead: string) => {
    writeFileSync(`${file}-new`, ahead);
    renameSync(`${file}-new`, file); // nobody reads half of it
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
