#!/usr/bin/env node
import './node-version.ts';

// Loaded only now, when it is known that this Node can.
const { keepCompiledCode } = await import('./compiled-code.ts');
keepCompiledCode();
const { run } = await import('./cli/program.ts');
await run(process.argv.slice(2));
