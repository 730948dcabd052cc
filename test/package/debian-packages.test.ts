import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { debianPackages } from '../support/tools.ts';

const listed = readFileSync(join(import.meta.dirname, '../../scripts/debian-packages.txt'), 'utf8');

// a package that is not listed is not installed by .ci/run, whose tests would be skipped then
test('every package that tests use a tool of is listed', () => {
  expect(listed.trim().split('\n')).toEqual(['chromium', ...debianPackages].sort());
});
