#!/usr/bin/env node
// The program that package.json names as `bin`. Every version of Node from 12 on must be able to
// parse this file, because node-version.js reports an unsupported version before other code loads.
import('../dist/program/node-version.js').then(
  () => import('../dist/main.js'),
  (error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('catalog: the program is not built: run "npm run build" first\n');
    process.exit(1);
  },
);
