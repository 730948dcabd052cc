import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceChange } from './check.ts';

const root = join(import.meta.dirname, '..');

/**
 * Copies the sources to `folder` and plants a fault in the copy. Returns the path of the copy's
 * `src/main.ts`. Throws like `plantedFiles`; in this case nothing is copied.
 */
export async function plantedCopy(
  folder: string,
  changes: readonly SourceChange[],
): Promise<string> {
  const planted = await plantedFiles(changes);
  for (const part of ['src', 'bin', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  for (const part of ['node_modules', 'dist', 'profiles']) {
    await symlink(join(root, part), join(folder, part));
  }
  for (const [file, text] of planted) await writeFile(join(folder, file), text);
  return join(folder, 'src/main.ts');
}

/**
 * Returns the changed source texts with the planted fault, by file. Throws if a text to replace
 * does not occur exactly once in its file. The replacement would then not plant the intended fault.
 */
export async function plantedFiles(changes: readonly SourceChange[]): Promise<Map<string, string>> {
  const planted = new Map<string, string>();
  for (const { file, from, to } of changes) {
    const text = planted.get(file) ?? (await readFile(join(root, file), 'utf8'));
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
    planted.set(
      file,
      text.replace(from, () => to),
    );
  }
  return planted;
}
