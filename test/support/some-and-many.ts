import { test } from 'vitest';

/**
 * Defines a test with `some` cases, and a test with `many` cases that only `npm run test:full`
 * runs. If cases are generated from a number, both tests start with the same case. `$count` in
 * `name` is replaced by the number of cases.
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
