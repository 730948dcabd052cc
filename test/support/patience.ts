/**
 * How long a test waits for an event. The limit is generous, because the machine may be busy.
 * `expect.poll` has the same limit by default, see `vitest.config.ts`.
 */
export const patience = { timeout: 45_000, interval: 20 };
