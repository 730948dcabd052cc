import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Breach } from './breaches.ts';

type Import = Omit<Breach, 'rule'>;

/**
 * Writes a clone to a new temporary folder and returns its path. The clone contains only the named
 * files with these imports, and a stub for each package of the project.
 */
export function plantTree(root: string, imports: Import[]): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'catalog-breaches-')));
  const files = new Map<string, string[]>();
  for (const each of imports) {
    for (const name of [each.from, each.to])
      if (isFile(name)) files.set(name, files.get(name) ?? []);
    files.get(each.from)?.push(statement(each));
  }
  for (const [name, lines] of files)
    write(tree, name, textOf(name, [...lines, 'export const it = 1;'].join('\n')));
  plantPackages(root, tree);
  return tree;
}

function textOf(name: string, script: string): string {
  return name.endsWith('.svelte') ? `<script lang="ts" module>\n${script}\n</script>\n` : script;
}

function statement({ from, to, typeOnly }: Import): string {
  const specifier = isFile(to) ? relativePath(from, to) : to;
  return typeOnly ? `import type { It } from '${specifier}';` : `import '${specifier}';`;
}

function relativePath(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function plantPackages(root: string, tree: string): void {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  write(tree, 'package.json', manifest);
  const { dependencies, devDependencies } = JSON.parse(manifest);
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    write(tree, `node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(tree, `node_modules/${name}/index.js`, '');
  }
}

function isFile(name: string): boolean {
  return name.endsWith('.ts') || name.endsWith('.svelte');
}

function write(tree: string, name: string, text: string): void {
  mkdirSync(dirname(join(tree, name)), { recursive: true });
  writeFileSync(join(tree, name), text);
}
