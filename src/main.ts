#!/usr/bin/env node
import './node-version.ts';

// Loaded only after the check that this version of Node is supported.
const { keepCompiledCode } = await import('./compiled-code.ts');
keepCompiledCode();
const { run } = await import('./cli/program.ts');
await run(process.argv.slice(2));
