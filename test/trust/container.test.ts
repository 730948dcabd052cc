import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fault } from '../../trust/checks/container.ts';

test('finds in the container file the text that its fault replaces', () => {
  const file = readFileSync(join(import.meta.dirname, '../../deploy/Containerfile'), 'utf8');
  expect(fault(file)).toContain('ENTRYPOINT ["sh", ');
  expect(() => fault('FROM scratch')).toThrow('it does not hold once: ENTRYPOINT');
});
