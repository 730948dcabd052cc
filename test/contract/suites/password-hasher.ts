import { expect, test } from 'vitest';
import type { PasswordHasher } from '../../../src/core/accounts/ports.ts';
import { CatalogError } from '../../../src/core/shared/errors.ts';
import { withClient } from '../../../src/core/shared/requests/client-context.ts';

/** Contract of every `PasswordHasher` adapter. */
export function passwordHasherContract(create: () => PasswordHasher): void {
  test('verifies the password of a hash and no other', async () => {
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

  test('returns different hashes for one password', async () => {
    const hasher = create();
    expect(await hasher.hash('same')).not.toBe(await hasher.hash('same'));
  });

  test('verifies a hash made by another instance', async () => {
    const hash = await create().hash('kept');
    expect(await create().verify(hash, 'kept')).toBe(true);
  });

  test('completes the check for an unknown name without a result', async () => {
    const hasher = create();
    expect(await hasher.verifyDummy('anything')).toBeUndefined();
  });

  test('rejects callers over the limit as busy and serves the others', async () => {
    const hasher = create();
    const client = { network: '192.0.2.1', signal: new AbortController().signal };
    const all = await withClient(client, () =>
      Promise.allSettled(Array.from({ length: 106 }, () => hasher.verifyDummy('x'))),
    );
    const refused = all.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(106);
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(CatalogError);
      expect(reason.kind).toBe('busy');
    }
    expect(await hasher.verifyDummy('x')).toBeUndefined();
  });
}
