import { describe, expect, test } from 'vitest';
import { importWork } from '../../src/jobs/import-work.ts';
import { game, xml } from './support/dat-text.ts';
import { actor, useImports } from './support/imports-fixture.ts';

describe('a resumed import', () => {
  test('skips the files that an earlier attempt imported, but reports them too', async () => {
    const { catalog, write, query } = await useImports();
    const names = ['one', 'two', 'three'];
    const paths = await Promise.all(
      names.map((name) => write(`${name}.dat`, xml([game(name, name)], `Test - ${name}`))),
    );
    const died = new AbortController();
    let stored: unknown = null;
    const attempt = (signal: AbortSignal, onStored: () => void) =>
      importWork(catalog, 'import', paths, {}, actor).run({
        signal,
        onProgress() {},
        step: stored,
        async keepStep(step) {
          stored = JSON.parse(JSON.stringify(step));
          onStored();
        },
      });
    const first = attempt(died.signal, () => died.abort(new Error('the process died')));
    await expect(first).rejects.toThrow('the process died');
    expect(stored).toMatchObject({ files: [{ file: paths[0] }] });

    const { files } = await attempt(new AbortController().signal, () => undefined);
    expect(files).toMatchObject(paths.map((file) => ({ file, counts: { new: 1, unchanged: 0 } })));
    expect(query('select file_name from import order by id')).toEqual(
      names.map((name) => ({ file_name: `${name}.dat` })),
    );
  });

  test('imports all of its files if an earlier attempt had other files', async () => {
    const { catalog, write } = await useImports();
    const path = await write('one.dat', xml([game('One', 'one')], 'Test - One'));
    const { files } = await importWork(catalog, 'import', [path], {}, actor).run({
      signal: new AbortController().signal,
      onProgress() {},
      step: {
        files: [{ file: 'other.dat', refused: 'other.dat: cut', line: null, reason: 'cut' }],
      },
      async keepStep() {},
    });
    expect(files).toMatchObject([{ file: path, counts: { new: 1 } }]);
  });
});
