import { describe, expect, test } from 'vitest';
import { png } from '../covers/covers-fixture.ts';
import { type StoreFixture, useStore } from '../store/store-fixture.ts';
import { run } from './run-code.ts';

const jpg = Buffer.from('\xff\xd8\xffnew', 'latin1');

interface Change {
  /** The code that the process runs. The process is killed at a system call of this code. */
  readonly code: string;
  /** The system call at which the process is killed, just before or after the call. */
  readonly at: 'rename' | 'unlink';
  see(store: StoreFixture): unknown;
  /** The results of `see` without and with the change. */
  readonly before: unknown;
  readonly after: unknown;
}

const newText = `store.stage('games', bytes('new'))`;
const changes: Readonly<Record<string, Change>> = {
  'an upload over another': {
    code: `await store.save('games', 'a.zip', await ${newText}, actor);`,
    at: 'rename',
    see: (store) => store.archive('a.zip'),
    before: 'old',
    after: 'new',
  },
  'a first upload': {
    code: `await store.save('games', 'b.zip', await ${newText}, actor);`,
    at: 'rename',
    see: (store) => store.archive('b.zip'),
    before: null,
    after: 'new',
  },
  'a removal': {
    code: `await store.remove('games', 'a.zip', actor);`,
    at: 'unlink',
    see: (store) => store.archive('a.zip'),
    before: 'old',
    after: null,
  },
  'a cover of another type': {
    code: `await covers.put(1, await covers.stage(bytes('\\xff\\xd8\\xffnew')), actor);`,
    at: 'rename',
    see: (store) => store.cover('Game 1'),
    before: png('old').toString(),
    after: jpg.toString(),
  },
  'a cover that replaces a removed one': {
    code: `
      const origin = { kind: 'source', from: 'x' };
      const staged = await covers.stage(bytes('new'));
      await covers.put(2, staged, actor, origin, { evenIfRemoved: true });`,
    at: 'rename',
    see: async ({ catalog: { covers }, cover }) => [
      await cover('Game 2'),
      await covers.originOf(2),
      await covers.wasRemoved(2),
    ],
    before: [null, null, true],
    after: ['new', 'source', false],
  },
  'the removal of a cover': {
    code: 'await covers.remove(1, actor);',
    at: 'unlink',
    see: async ({ catalog: { covers }, cover }) => [
      await cover('Game 1'),
      await covers.wasRemoved(1),
    ],
    before: [png('old').toString(), false],
    after: [null, true],
  },
};

const cases = Object.entries(changes).flatMap(([name, change]) => [
  { name, when: 'before' as const, ...change },
  { name, when: 'after' as const, ...change },
]);

describe('the store with killed and concurrent processes', () => {
  // The process is killed at the calls that make a change visible.
  for (const { name, when, ...change } of cases) {
    const tags: 'full'[] = name === 'an upload over another' && when === 'before' ? [] : ['full'];
    test(`recovers file and row after a kill just ${when} ${name} becomes visible`, {
      tags,
    }, async () => {
      const fixture = await useStore(['Game 1', 'Game 2']);
      await fixture.save('a.zip', 'old');
      await fixture.upload('Game 1', png('old'));
      await fixture.upload('Game 2', png('old'));
      await fixture.catalog.covers.remove(2, { kind: 'system' });
      const audited = fixture.audit().length;
      await fixture.close();
      const code = `killAt('${change.at}', '${when}'); ${change.code}`;
      expect(await run(fixture.data, code)).toEqual({ signal: 'SIGKILL', stderr: '' });
      expect(fixture.reserved()).toHaveLength(1);

      const again = await useStore([], fixture.data);
      await again.settled();
      expect(await change.see(again)).toEqual(change[when]);
      expect(again.audit()).toHaveLength(audited + (when === 'after' ? 1 : 0));
      expect(await again.filesOnDisk()).toEqual(again.rows());
    });
  }

  test('keeps a file and its row consistent when three processes upload one name repeatedly', {
    tags: ['full'],
  }, async () => {
    const fixture = await useStore();
    const upload = (mark: string) => `
    for (let at = 0; at < 25; at += 1) {
      const staged = await store.stage('games', bytes('${mark}'.repeat(at + 1)));
      await store.save('games', 'a.zip', staged, actor);
    }`;
    const ended = { signal: null, stderr: '' };
    const all = ['a', 'b', 'c'].map((mark) => run(fixture.data, upload(mark)));
    expect(await Promise.all(all)).toEqual([ended, ended, ended]);
    expect(fixture.audit()).toHaveLength(75);
    expect(await fixture.archive('a.zip')).toMatch(/^(a{25}|b{25}|c{25})$/);
    expect(await fixture.filesOnDisk()).toEqual(fixture.rows());
    expect(fixture.reserved()).toEqual([]);
  });
});
