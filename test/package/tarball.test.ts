/** @module-tag full */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installNode, nodeBinary, whyUnreachable } from './nodes.ts';
import { type Ended, endOf, npm, run, succeed } from './programs.ts';

// Delete the variable, because the compile cache of the test run would replace the program's own
// cache.
delete process.env.NODE_COMPILE_CACHE;

// These tests act like a user without a clone: npm installs the tarball on each supported Node.
const root = join(import.meta.dirname, '..', '..');
const goodNodes = ['22.14.0', '24.21.0', '26.10.0'];
const oldNode = '20.20.2';

let folder: string;
let tarballFiles: string[] = [];
let unreachable: string | null = null;
const installed = () => join(folder, 'app', 'node_modules', 'catalog');
const compiled = () => join(installed(), 'dist', '.compiled');
const command = () => join(installed(), 'bin', 'catalog.js');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-tarball-'));
  unreachable = await whyUnreachable(oldNode);
  if (unreachable !== null) return console.warn(`skipped: ${unreachable}`);
  await Promise.all([installTarball(), ...[oldNode, ...goodNodes].map(installNode)]);
}, 90_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed tarball', () => {
  test('contains only files that are needed to run', (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const others = tarballFiles.filter(
      (file) =>
        !/^(bin|dist|docs|deploy|profiles)\//.test(file) &&
        !/^(package\.json|README\.md|LICENSE)$/.test(file),
    );
    expect(others).toEqual([]);
    expect(tarballFiles).toContain('bin/catalog.js');
    expect(tarballFiles).toContain('dist/main.js');
    expect(tarballFiles).toContain('profiles/es-de.json');
    expect(
      tarballFiles.filter((file) => /\.stamp|\.compiled|\.test\.|(?<!\.d)\.ts$/.test(file)),
    ).toEqual([]);
  });

  test('installs without the development tools', async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const packages = await readdir(join(folder, 'app', 'node_modules'));
    expect(packages).toContain('better-sqlite3');
    expect(packages.filter((name) => ['node', 'typescript', 'vitest'].includes(name))).toEqual([]);
  });

  test.for(goodNodes)('prints its version on Node %s', async (version, context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const { code, stdout, stderr } = await run(nodeBinary(version), [command(), '--version']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\d+\.\d+\.\d+/);
  });

  test.for(goodNodes)('serves health checks on Node %s until SIGTERM', async (version, context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    const port = await freePort();
    const data = join(folder, `data-${version}`);
    const args = [command(), 'serve', '--host', '127.0.0.1', '--port', `${port}`, '--data', data];
    const server = spawn(nodeBinary(version), args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = endOf(server);
    try {
      const response = await firstResponse(`http://127.0.0.1:${port}/api/health`, ended);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      server.kill('SIGTERM');
      expect((await ended).code).toBe(0);
      const cached = await readdir(compiled());
      expect(cached.some((name) => name.startsWith(`v${version}-`))).toBe(true);
    } finally {
      server.kill('SIGKILL');
    }
  });

  test('caches compiled code only for the owner of the code', async (context) => {
    context.skip(unreachable !== null, unreachable ?? '');
    context.skip(process.getuid?.() !== 0, 'only root can give files to others');
    const keepsSome = async () => {
      await rm(compiled(), { recursive: true, force: true });
      await succeed(run(nodeBinary('24.21.0'), [command(), '--version']));
      return existsSync(compiled());
    };
    expect(await keepsSome()).toBe(true);
    await chown(join(installed(), 'dist'), 1, 1);
    expect(await keepsSome()).toBe(false);
    await chown(join(installed(), 'dist'), 0, 0);
    expect(await keepsSome()).toBe(true);
  });

  test.for(['bin/catalog.js', 'dist/main.js'])(
    'reports in one line on an older Node which version %s needs',
    async (entry, context) => {
      context.skip(unreachable !== null, unreachable ?? '');
      const node = nodeBinary(oldNode);
      const result = await run(node, [join(installed(), entry), 'serve']);
      expect(result.code).toBe(1);
      expect(result.stdout).toBe('');
      expect(result.stderr).toMatch(
        /^catalog: Node\.js 22\.14 or later is needed; this is 20\.20\.2 \(.+\)\. [^\n]*\n$/,
      );
      expect(result.stderr).toContain(node);
    },
  );
});

async function installTarball(): Promise<void> {
  const packed = await succeed(npm(root, ['pack', '--json', '--pack-destination', folder]));
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  tarballFiles = files.map((file: { path: string }) => file.path);
  const app = join(folder, 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{ "private": true }');
  await succeed(npm(app, ['install', join(folder, filename)]));
}

/** Polls until the server responds. If the server ends first, throws an error with its output. */
async function firstResponse(url: string, ended: Promise<Ended>): Promise<Response> {
  const failure = ended.then(({ code, stdout, stderr }): never => {
    throw new Error(`the server ended (${code}): ${stdout}${stderr}`);
  });
  failure.catch(() => undefined);
  for (;;) {
    const response = await Promise.race([fetch(url).catch(() => null), failure]);
    if (response !== null) return response;
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 100)), failure]);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
