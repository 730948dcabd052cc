import { test } from 'vitest';

/**
 * Defines a test with `some` cases, and one with `many` cases in `npm run test:full`. Both start
 * with the same case if cases are made from a number. `name` shows the number as `$count`.
 */
export function testSomeAndMany(
  name: string,
  { some, many }: { readonly some: number; readonly many: number },
  run: (count: number) => Promise<void>,
  timeout?: number,
): void {
  test(name.replace('$count', `${some}`), () => run(some));
  const options = { tags: ['full' as const], ...(timeout !== undefined && { timeout }) };
  test(name.replace('$count', `${many}`), options, () => run(many));
}
