import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { debianPackages } from '../support/tools.ts';

const listed = readFileSync(join(import.meta.dirname, '../../scripts/debian-packages.txt'), 'utf8');

describe('the list of Debian packages', () => {
  // `.ci/run` installs only the listed packages. Without its package, the tests of a tool would be
  // skipped.
  test('lists every package whose tools the tests use', () => {
    expect(listed.trim().split('\n')).toEqual(
      ['chromium-headless-shell', ...debianPackages].sort(),
    );
  });
});
