import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const file = new URL('../../package.json', import.meta.url);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'));

/** By its path: a shell may have found the machine's `node` before the setup brought another one. */
const onOwnNode =
  /^node scripts\/setup\.mjs( --no-build)?( && (exec )?node_modules\/\.bin\/node [^&|;]+)?$/;

test.each(Object.entries(scripts))(
  'npm run %s does nothing but the setup on the Node of the machine',
  (_name, command) => {
    expect(command).toMatch(onOwnNode);
  },
);
