// Lints the OpenAPI documents of both APIs, as printed by `catalog openapi`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountDocument } from '../src/http/account-api/app.ts';
import { minimalDocument } from '../src/http/minimal-api/app.ts';
import { root } from './stamps.mjs';

const documents = {
  'account-openapi.json': accountDocument('0.0.0'),
  'minimal-openapi.json': minimalDocument('0.0.0'),
};
const folder = mkdtempSync(join(tmpdir(), 'catalog-openapi-'));
const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
let isValid = true;
for (const [name, document] of Object.entries(documents)) {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(document));
  if (lint(file) !== 0) isValid = false;
  writeFileSync(file, JSON.stringify({ ...document, 'no-such-field': 1 }));
  if (lint(file, 'ignore') !== 0) continue;
  process.stderr.write(`the linter did not notice a fault that was planted in ${name}\n`);
  isValid = false;
}
rmSync(folder, { recursive: true });
process.exitCode = isValid ? 0 : 1;

function lint(path: string, stdio: 'inherit' | 'ignore' = 'inherit'): number | null {
  const config = join(root, 'redocly.yaml');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return spawnSync(process.execPath, [cli, 'lint', '--config', config, path], { stdio, env })
    .status;
}
