/**
 * Limits for a test that waits for an event: much longer than it takes on an idle machine. They are
 * the defaults of `expect.poll` too, by `vitest.config.ts`.
 */
export const patience = { timeout: 45_000, interval: 20 };
