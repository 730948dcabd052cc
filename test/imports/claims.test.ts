import { describe, expect, test } from 'vitest';
import { game, xml } from './support/dat-text.ts';
import { gate, importText, releaseNames, useEngine } from './support/engine-fixture.ts';

const rows = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => game(`${name} ${i}`, `${name} ${i}`));
/** This DAT has enough rows to be written in several parts. */
const large = xml(rows('Large', 1_500), 'Large');
const small = xml(rows('Small', 3), 'Small');

describe('an import that another one overtakes', () => {
  test('is refused if it is small and another import ended after it was planned', async () => {
    const imports = await useEngine();
    const another = await imports.another();
    let isPlanned = false;
    imports.engine.beforeWrite = async () => {
      if (isPlanned) return;
      isPlanned = true;
      await importText(another, xml(rows('Other', 2), 'Small'));
    };
    await expect(importText(imports, small)).rejects.toThrow(
      'another import changed the catalogue meanwhile: run it again',
    );
    expect(await releaseNames(imports)).toEqual(['Other 0', 'Other 1']);
    expect(await importText(imports, small)).toMatchObject({ counts: { new: 3 } });
  });

  test('is refused if it is small and another import began after it was planned', async () => {
    const imports = await useEngine();
    const another = await imports.another();
    const [hasBegun, resume] = [gate(), gate()];
    another.engine.beforeRoomCheck = async () => {
      hasBegun.open();
      await resume.opened;
    };
    let running: Promise<unknown> | undefined;
    imports.engine.beforeWrite = async () => {
      if (running !== undefined) return;
      running = importText(another, large);
      await hasBegun.opened;
    };
    await expect(importText(imports, small)).rejects.toThrow('another import took its place');
    resume.open();
    await running;
    expect(await releaseNames(imports)).toHaveLength(1_500);
  });

  test('is refused and leaves no rows if it continues after it was considered dead', async () => {
    const imports = await useEngine();
    const another = await imports.another();
    await importText(imports, small);
    const [isHeld, resume, isTaken, discard] = [gate(), gate(), gate(), gate()];
    let parts = 0;
    imports.engine.beforeRoomCheck = async () => {
      parts += 1;
      if (parts !== 3) return;
      isHeld.open();
      await resume.opened;
    };
    const held = importText(imports, large);
    await isHeld.opened;
    // The other import first takes over the claim and then removes the leftovers.
    let writes = 0;
    another.engine.beforeWrite = async () => {
      writes += 1;
      if (writes !== 2) return;
      isTaken.open();
      await discard.opened;
    };
    const next = importText(another, xml(rows('Next', 3), 'Next'));
    await isTaken.opened;
    resume.open();
    await expect(held).rejects.toThrow('another import took its place: run it again');
    discard.open();
    await next;
    expect(await releaseNames(imports)).toEqual([
      'Small 0',
      'Small 1',
      'Small 2',
      'Next 0',
      'Next 1',
      'Next 2',
    ]);
    const all = await imports.engine.read.selectFrom('release').select('id').execute();
    expect(all).toHaveLength(6);
    expect(await importText(imports, large)).toMatchObject({ counts: { new: 1_500 } });
  });
});
