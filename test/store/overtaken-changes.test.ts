import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { busy } from '../../src/core/shared/errors.ts';
import type { StagedFile } from '../../src/core/shared/files/file-area.ts';
import { expectAgreement, releaseTargets, stage, useChanges } from './changes-fixture.ts';
import { actor, type StoreFixture, uploadOf, useStore } from './store-fixture.ts';

describe('a process that stood still until another one had settled its change', () => {
  const { file, ...rest } = uploadOf('a.zip', 'late');
  const lateUpload = { ...rest, file: file as NonNullable<typeof file> };

  /** Settles the change like another process, which then stores a newer archive. */
  async function overtake(fixture: StoreFixture): Promise<void> {
    await releaseTargets(fixture);
    await fixture.save('a.zip', 'theirs');
  }

  test('does not place its file over a newer one', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(
      fixture,
      () => undefined,
      () => overtake(fixture),
    );
    const staged = await stage(fixture, 'late', () => undefined);
    const published = changes.publish(lateUpload, staged, actor);
    await expect(published).rejects.toMatchObject({ kind: 'busy', outcomeUnknown: true });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    await expectAgreement(fixture);
  });

  test('does not restore the previous file over a newer one', async () => {
    const fixture = await useStore();
    await fixture.save('a.zip', 'old');
    const changes = await useChanges(fixture, () => undefined);
    const staged = await stage(fixture, 'late', () => undefined);
    const outside = AsyncLocalStorage.snapshot();
    const publish: StagedFile['publish'] = async (name) => {
      await staged.publish(name);
      await outside(overtake, fixture);
      throw busy(); // like a database that responds too late
    };
    const late = { ...staged, publish };
    await expect(changes.publish(lateUpload, late, actor)).rejects.toMatchObject({
      kind: 'busy',
    });
    expect(await fixture.archive('a.zip')).toBe('theirs');
    await expectAgreement(fixture);
  });
});
