import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const file = new URL('../../package.json', import.meta.url);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'));

/**
 * Matches npm scripts that start Node by its path. A shell may have looked up `node` before the
 * setup installed another Node.
 */
const onOwnNode =
  /^node scripts\/setup\.mjs( --no-build)?( && (exec )?node_modules\/\.bin\/node [^&|;]+)?$/;

describe('package.json', () => {
  test.each(Object.entries(scripts))(
    "runs all of npm run %s but the setup on the project's own Node",
    (_name, command) => {
      expect(command).toMatch(onOwnNode);
    },
  );
});
