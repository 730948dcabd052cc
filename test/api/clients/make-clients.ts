import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..', '..');

/** A package in a temporary folder, with the clients and the sources that use them. */
export interface ClientPackage {
  readonly folder: string;
  /**
   * Compiles the package in strict mode. Resolves to the compiler's output, which is "" if there
   * are no errors.
   */
  compile(): Promise<string>;
  remove(): Promise<void>;
}

/** Generates two kinds of clients for both APIs from the printed documents. */
export async function makeClients(documents: Record<string, string>): Promise<ClientPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-clients-'));
  await cp(join(import.meta.dirname, 'uses'), folder, { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  for (const [name, document] of Object.entries(documents)) {
    const types = await openapiTS(document, { transform: bytesAsBlob });
    await writeFile(join(folder, `${name}-types.ts`), astToString(types));
    const input = join(folder, `${name}.json`);
    await writeFile(input, document);
    const output = { path: join(folder, name), module: { extension: '.js' } };
    await createClient({ input, output, logs: { level: 'silent' } });
  }
  return {
    folder,
    compile: () => compile(folder),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Compiler options that another page or program could have. */
const compilerOptions = {
  target: 'es2023',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
};

/**
 * Maps files to the type Blob, as the manual of openapi-typescript advises. Without this mapping,
 * files would be strings.
 */
function bytesAsBlob({ format }: { format?: string }): ts.TypeNode | undefined {
  if (format !== 'binary') return undefined;
  return ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'));
}

async function compile(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return printed + failed;
}
