import { test } from 'vitest';

/**
 * A test over `some` cases, and one over `many` of the same kind in `npm run test:full`. Both begin with the same case
 * where they are made from a number. `name` says how many by `$count`.
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
