#!/usr/bin/env node
// What package.json's bin names. It must be readable for every Node from 12 on: node-version.js says in one
// line what is needed before anything else is loaded.
import('../dist/node-version.js').then(
  () => import('../dist/main.js'),
  (error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('catalog: it is not built yet, run "npm run build" first\n');
    process.exit(1);
  },
);
