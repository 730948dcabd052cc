/**
 * How long a test waits for something that the machine does when it gets to it: much longer than it
 * takes, because the machine may be busy. `expect.poll` waits so by default, see `vitest.config.ts`.
 */
export const patience = { timeout: 45_000, interval: 20 };
