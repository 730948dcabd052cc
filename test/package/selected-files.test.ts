import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findUnselected } from '../support/selected-files.ts';

const sources = {
  'quick.test.ts': "import { test } from 'vitest';\ntest('quick', () => {});\n",
  'some.test.ts': "test('slow', { tags: ['full'] }, () => {});\n",
  'wholly.test.ts': `/** ${'@'}module-tag full */\n`, // in one word, it would tag this file
  'importing.test.ts': "import {\n  testBoth,\n} from './both.ts';\n",
  'both.ts': "import './importing.test.ts';\nconst tags = ['full' as const];\n",
};

async function plant(): Promise<(args: string[]) => string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-selected-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source);
  const files = Object.keys(sources).filter((name) => name.endsWith('.test.ts'));
  const paths = files.map((name) => join(folder, name));
  return (args) => findUnselected(args, paths).map((path) => path.slice(folder.length + 1));
}

describe('the selection of test files', () => {
  test('leaves out files without a test that the filter selects', async () => {
    const find = await plant();
    expect(find(['run', '--tags-filter=full', '--retry=1'])).toEqual(['quick.test.ts']);
    expect(find(['run', '--tags-filter=not full'])).toEqual(['wholly.test.ts']);
  });

  test('leaves out nothing without a filter, or if the arguments name a file', async () => {
    const find = await plant();
    expect(find(['run'])).toEqual([]);
    expect(find(['run', '--tags-filter=not full', 'wholly'])).toEqual([]);
  });
});
