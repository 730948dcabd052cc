import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceChange } from './check.ts';

const root = join(import.meta.dirname, '..');

/**
 * Copies the sources to `folder` with a fault planted in them; returns the copy's `src/main.ts`. Throws when a text to
 * be replaced does not stand once in its file: the fault would not be the one that is meant.
 */
export async function plantedCopy(
  folder: string,
  changes: readonly SourceChange[],
): Promise<string> {
  for (const part of ['src', 'bin', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  for (const part of ['node_modules', 'dist']) await symlink(join(root, part), join(folder, part));
  for (const { file, from, to } of changes) {
    const text = await readFile(join(folder, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
    );
  }
  return join(folder, 'src/main.ts');
}
