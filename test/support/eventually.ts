const GIVE_UP_MS = 20_000;

/**
 * Reads a value every 10 ms until `isWanted` accepts it. Returns the value. Throws an error with
 * the last value after 20 s.
 */
export async function eventually<T>(
  read: () => Promise<T> | T,
  isWanted: (value: T) => boolean,
): Promise<T> {
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (performance.now() > until) {
      throw new Error(`did not come within ${GIVE_UP_MS} ms; last: ${JSON.stringify(value)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
