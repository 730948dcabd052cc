import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { useSandbox } from '../support/process.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

const printModules = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => console.log(process.moduleLoadList.join(' ')));",
)}`;

/** Matches both paths in code such as `new URL('./x-worker' + ending, new URL(own address))`. */
const started = /new URL\(`(\.[^`$]*)\$\{new URL\("([^"]+)", import\.meta\.url\)/g;

describe('the bundle', () => {
  test('contains every thread and program that it starts, at the path that it uses', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js') && !name.startsWith('page'))
      .map((name) => join(dist, name));
    const found = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(started)].map(([, path, own = '']) => {
        const url = new URL(own, pathToFileURL(file));
        return fileURLToPath(new URL(`${path}.js`, url));
      }),
    );
    expect(found.length).toBeGreaterThan(6);
    expect(found.filter((file) => !existsSync(file))).toEqual([]);
  });

  test('contains the page without warnings for its developers, whatever NODE_ENV is', () => {
    // `npx vitest` sets NODE_ENV to "test", and builds dist if the source has changed.
    const scripts = readdirSync(join(dist, 'page'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(dist, 'page', name), 'utf8'));
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((text) => text.includes('window_fetch_in_load'))).toHaveLength(0);
  });

  test('serves without Node\'s HTTP client "undici", which costs time and memory', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve([], { NODE_OPTIONS: `--import=${printModules}` });
    expect((await fetch(server.url)).status).toBe(200);
    await server.stop();
    expect(server.stdout).toContain(' NativeModule http ');
    expect(server.stdout).not.toContain('undici');
  });
});
