/** Asks again, every 10 ms, until `read` gives what is wanted; the last value it gave, after 5 s any. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  isWanted: (value: T) => boolean,
): Promise<T> {
  const until = Date.now() + 5_000;
  for (;;) {
    const value = await read();
    if (isWanted(value) || Date.now() > until) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
