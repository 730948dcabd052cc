/**
 * Timeout and check interval for a test that waits for an event, in milliseconds. The timeout is
 * much longer than any event takes on an idle machine.
 */
export const pollOptions = { timeout: 45_000, interval: 20 };
