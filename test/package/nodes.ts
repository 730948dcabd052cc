import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, succeed } from './programs.ts';

const nodePackage = `node-${process.platform}-${process.arch}`;
const nodes = join(tmpdir(), 'catalog-test-nodes');

/**
 * Returns the reason why this version of Node cannot be fetched from the npm registry. Returns null
 * if it can.
 */
export async function whyUnreachable(version: string): Promise<string | null> {
  const args = ['view', `${nodePackage}@${version}`, 'version', '--fetch-retries=0'];
  const { code, stdout, stderr } = await npm(tmpdir(), args);
  if (code === 0 && stdout.trim() === version) return null;
  const reason = stderr.split('\n').find((line) => line.startsWith('npm error')) ?? '';
  return `the npm registry is out of reach or has no ${nodePackage} (${reason})`;
}

/** Fetches the binary of Node from the npm registry. The binary is stored for later runs. */
export async function installNode(version: string): Promise<void> {
  if (existsSync(nodeBinary(version))) return;
  await mkdir(nodes, { recursive: true });
  const fresh = await mkdtemp(join(nodes, 'new-'));
  await writeFile(join(fresh, 'package.json'), '{ "private": true }');
  await succeed(npm(fresh, ['install', '--ignore-scripts', `${nodePackage}@${version}`]));
  // Move the binary to its final path only once it is complete. If another run was faster, use its
  // binary.
  await rename(fresh, join(nodes, version)).catch(() => rm(fresh, { recursive: true }));
}

/** Returns the path to which `installNode` writes the binary of this version. */
export function nodeBinary(version: string): string {
  return join(nodes, version, 'node_modules', nodePackage, 'bin', 'node');
}
