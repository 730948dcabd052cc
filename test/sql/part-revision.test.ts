import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyTexts } from '../../src/core/shared/release-fields.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { incrementPartRevision, PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { importGames } from '../support/data/dats.ts';
import { makeUser } from '../support/data/people.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { createRequester } from '../support/http/requester.ts';

let app: TestApp;
let engine: Engine;
beforeAll(async () => {
  app = await startTestApp();
  engine = await openSqlite(join(app.data, 'catalog.db'));
  await importGames(app, ['One', 'Two']);
});
afterAll(async () => {
  await engine.close();
  await app.close();
});
const actor = { kind: 'system' } as const;

/** Runs `work`. Returns the parts whose revision has changed. */
async function moved(work: () => Promise<unknown>): Promise<string[]> {
  const revisions = new PartRevisions(engine);
  const parts = ['catalogue', 'accounts'] as const;
  const read = () => Promise.all(parts.map((part) => revisions.of(part).current()));
  const before = await read();
  await work();
  const after = await read();
  return parts.filter((_, index) => before[index] !== after[index]);
}

describe('the revision of a part', () => {
  test.each<[string, () => Promise<unknown>, string[]]>([
    ['an edit', () => app.catalog.releases.edit(1, { name: 'New' }, actor), ['catalogue']],
    [
      'an edit of metadata',
      () => app.catalog.releases.edit(1, { genre: 'New' }, actor),
      ['catalogue'],
    ],
    ['a dropped edit', () => app.catalog.releases.dropEdit(1, 'name', actor), ['catalogue']],
    ['an import', () => importGames(app, ['Three']), ['catalogue']],
    ['an import that changes nothing', () => importGames(app, ['Three']), []],
    ['a new user', () => makeUser(app, 'user'), []],
    [
      'a new role of a user',
      async () => app.catalog.accounts.updateUser(2, { role: 'editor' }, actor),
      ['accounts'],
    ],
    ['a revoked token', () => app.catalog.accounts.revokeToken(1, 1, actor), ['accounts']],
    ['a removed user', () => app.catalog.accounts.deleteUser(2, actor), ['accounts']],
    [
      'a login, whose time is shown',
      async () =>
        app.catalog.accounts.login(
          { username: 'admin', password: 'admin-password', kind: 'api' },
          '127.0.0.1',
        ),
      ['accounts'],
    ],
  ])('changes after %s in exactly these parts: %s', async (_name, work, expected) => {
    expect(await moved(work)).toEqual(expected);
  });

  test('does not change when a token is used', async () => {
    const { value } = await app.catalog.accounts.issueToken(
      await app.catalog.accounts.getUser(1),
      'x',
      0,
      actor,
    );
    const used = async () => {
      await createRequester(app.url)('GET', '/api/auth/me', { token: value });
      await app.catalog.accounts.listTokens(1); // waits for deferred writes
    };
    expect(await moved(used)).toEqual([]);
    const [token] = await app.catalog.accounts.listTokens(1);
    expect(token?.lastUsedAt).not.toBeNull();
  });

  test('does not change for releases of an unfinished import until the import ends', async () => {
    const values = { ...emptyTexts, system: 'games', name: 'x' };
    await engine.write((trx) =>
      trx.insertInto('unfinished_import').values({ first_release_id: 1_000, claim: 'x' }).execute(),
    );
    const add = (id: number) => () =>
      engine.write((trx) =>
        trx
          .insertInto('release')
          .values({ id, ...values })
          .execute(),
      );
    expect(await moved(add(1_000))).toEqual([]);
    expect(await moved(add(999))).toEqual(['catalogue']);
    const end = () => engine.write((trx) => trx.deleteFrom('unfinished_import').execute());
    expect(await moved(end)).toEqual(['catalogue']);
  });

  test('is read once, after the requests arrived, if commits cannot be observed', async () => {
    let begun = 0;
    const read = new Proxy(engine.read, {
      get(db, name) {
        begun += name === 'selectFrom' ? 1 : 0;
        const found = Reflect.get(db, name, db);
        return typeof found === 'function' ? found.bind(db) : found;
      },
    });
    const revision = new PartRevisions({ commits: () => null, read }).of('covers');
    const together = () => Promise.all(Array.from({ length: 50 }, () => revision.current()));
    const [before = 0] = await together();
    expect(begun).toBe(1);
    const early = revision.current();
    await engine.write((trx) => incrementPartRevision(trx, 'covers'));
    const late = together();
    await early;
    expect(await late).toEqual(Array(50).fill(before + 1));
    expect(begun).toBe(3);
    expect(revision.known()).toBeUndefined();
  });
});
