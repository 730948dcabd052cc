import { test } from 'vitest';

type Arguments<Case> = Case extends readonly unknown[] ? [...Case] : [Case];

/**
 * Defines a test for each case, like `test.each`. Only `npm run test:full` runs the tests after the
 * first one, which repeat its assertions for another language, width, kind of file, or the like.
 */
export function testFirstOfEach<const Case>(
  cases: readonly Case[],
): (name: string, run: (...args: Arguments<Case>) => Promise<void>) => void {
  return (name, run) => {
    const each = run as unknown as (...args: unknown[]) => Promise<void>;
    test.each<unknown>(cases.slice(0, 1))(name, each);
    test.each<unknown>(cases.slice(1))(name, { tags: ['full'] }, each);
  };
}
