import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fault } from '../../trust/checks/container.ts';

describe('the check of the container', () => {
  test('finds in the container file the text that its fault replaces', () => {
    const file = readFileSync(join(import.meta.dirname, '../../deploy/Containerfile'), 'utf8');
    expect(fault(file)).toContain('ENTRYPOINT ["sh", ');
    expect(() => fault('FROM scratch')).toThrow('it does not hold once: ENTRYPOINT');
  });
});
