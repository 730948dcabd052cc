#!/usr/bin/env node
import './program/node-version.ts';

// Imported dynamically, so that an unsupported version of Node is reported first.
const { enableCodeCache } = await import('./program/compiled-code.ts');
enableCodeCache();
const { run } = await import('./cli/program.ts');
await run(process.argv.slice(2));
