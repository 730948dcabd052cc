import { expect, test } from 'vitest';
import type { PasswordHasher } from '../../src/core/accounts/ports.ts';
import { askedBy } from '../../src/core/shared/asker.ts';
import { CatalogError } from '../../src/core/shared/errors.ts';

/** What every adapter of `PasswordHasher` does. */
export function passwordHasherContract(create: () => PasswordHasher): void {
  test('a hash verifies its own password and no other', async () => {
    const hasher = create();
    for (const password of ['correct horse', 'パスワード🎮', ' ', 'x'.repeat(1000), 'a\u0000b']) {
      const hash = await hasher.hash(password);
      expect(hash).not.toContain(password);
      expect(await hasher.verify(hash, password)).toBe(true);
      for (const other of [`${password} `, password.slice(1), '']) {
        expect(await hasher.verify(hash, other)).toBe(false);
      }
    }
  });

  test('two hashes of one password differ', async () => {
    const hasher = create();
    expect(await hasher.hash('same')).not.toBe(await hasher.hash('same'));
  });

  test('a hash made before is verified by another one', async () => {
    const hash = await create().hash('kept');
    expect(await create().verify(hash, 'kept')).toBe(true);
  });

  test('a name that does not exist is checked like one that does', async () => {
    const hasher = create();
    expect(await hasher.verifyNothing('anything')).toBeUndefined();
  });

  test('too many at once are told to come back; the others are answered', async () => {
    const hasher = create();
    const asker = { network: '192.0.2.1', signal: new AbortController().signal };
    const all = await askedBy(asker, () =>
      Promise.allSettled(Array.from({ length: 106 }, () => hasher.verifyNothing('x'))),
    );
    const refused = all.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(106);
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(CatalogError);
      expect(reason.kind).toBe('busy');
    }
    expect(await hasher.verifyNothing('x')).toBeUndefined();
  });
}
