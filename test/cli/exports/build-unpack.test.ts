/** @module-tag full */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn } from '../../builds/build-library.ts';
import { createCliLibraryOf } from '../../builds/cli-library.ts';
import { packedDisc, psx } from '../../builds/packed-disc.ts';
import { makeRar5 } from '../../support/images/rar.ts';
import { useSandbox } from '../../support/process.ts';

describe('catalog build', () => {
  test('suggests --unpack for packed images, and unpacks them with that option', async () => {
    const sandbox = await useSandbox();
    const discs = ['One', 'Two'].map((name) => packedDisc(name));
    const archives = discs.map(({ files }, i) => {
      const members = Object.entries(files).map(([name, content]) => ({ name, content }));
      return [`${i}.rar`, makeRar5(members)] as const;
    });
    const library = await createCliLibraryOf(sandbox, {
      platform: psx,
      files: { ...Object.fromEntries(archives), 'x.bin': discs[1]?.files['t1.bin'] ?? '' },
      rows: discs.map(({ row }) => row),
    });
    const to = join(sandbox.folder, 'tree');
    expect(await library.build(to, '--dry-run').ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /the device cannot open 3 files; .*\nit can open what is in 2 of them: build with --unpack\n$/,
      ),
    });
    const { left_out: leftOut } = JSON.parse((await library.build(to, '--json').ended).stdout);
    const why = expect.stringMatching(/ does not open \.rar files of .*: build with --unpack$/);
    expect(leftOut).toEqual([
      { platform: psx, release: 'One', file: '0.rar', why, release_id: expect.any(Number) },
      { platform: psx, release: 'Two', file: '1.rar', why, release_id: expect.any(Number) },
      expect.objectContaining({ file: 'x.bin', why: expect.stringMatching(/PlayStation$/) }),
    ]);
    const plan = await library.build(to, '--unpack', '--dry-run').ended;
    expect(plan.stdout).toContain('add\tpsx/One (Track 3).bin\n');
    expect(await filesIn(to)).toEqual({});
    const built = await library.build(to, '--unpack').ended;
    expect(built).toEqual({ code: 0, signal: null, stdout: `${to}: added 9\n`, stderr: '' });
    const trees = discs.flatMap(({ tree }) => Object.entries(tree));
    expect(await filesIn(to)).toMatchObject(
      Object.fromEntries(trees.map(([name, content]) => [`psx/${name}`, content])),
    );
    expect((await library.build(to, '--unpack').ended).stdout).toBe(`${to}: kept 9\n`);
    expect((await library.build(to).ended).stdout).toContain(`${to}: removed 9\n`);
  });
});
