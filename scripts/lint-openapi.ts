// Lints the OpenAPI document as the server makes it. No endpoint is called, so none needs anything behind it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountApiParts, createAccountApi } from '../src/http/account-api/app.ts';
import { createLog } from '../src/log.ts';
import { root } from './stamps.mjs';

const app = await createAccountApi(
  { corsOrigins: [], version: '0.0.0' } as unknown as AccountApiParts,
  {
    log: createLog('silent'),
    trustedProxies: [],
    isStopping: () => false,
  },
);
const document = (await app.inject('/api/openapi.json')).body;
const folder = mkdtempSync(join(tmpdir(), 'catalog-openapi-'));
const file = join(folder, 'openapi.json');
writeFileSync(file, document);
const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const planted = document.replace('"openapi":"3.1.0"', '"openapi":"3.1.0","no-such-field":1');
const isClean = lint(file) === 0;
writeFileSync(file, planted);
const bites = lint(file, 'ignore') !== 0;
rmSync(folder, { recursive: true });
await app.close();
if (!bites) process.stderr.write('the linter did not notice a planted fault\n');
process.exitCode = isClean && bites ? 0 : 1;

function lint(path: string, stdio: 'inherit' | 'ignore' = 'inherit'): number | null {
  const config = join(root, 'redocly.yaml');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return spawnSync(process.execPath, [cli, 'lint', '--config', config, path], { stdio, env })
    .status;
}
