import { describe, expect, test } from 'vitest';
import { cleanName } from '../src/uploads/clean-name.ts';

describe('the clean name of an upload', () => {
  // The server defines the rule for clean names. test/api/account/store/archive-name.test.ts has
  // more cases.
  test.each([
    ['A (Japan) [v1.0]_x-y.zip', 'A (Japan) v1.0_x-y.zip'],
    ['../../evil.iso', '....evil.iso'],
    ['e\u0301.zip', '\u00e9.zip'],
    ['\u0939\u093f\u0928\u094d\u0926\u0940.zip', '\u0939\u093f\u0928\u094d\u0926\u0940.zip'],
    ['\u0301x!\u0302\u03031\u0301.zip', 'x1.zip'],
  ])('shows the name %j as %j, as the server stores it', (supplied, name) => {
    expect(cleanName(supplied)).toBe(name);
  });
});
