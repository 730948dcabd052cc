// Writes the types of the account API that the page uses, from the server's OpenAPI document.
//   npx node scripts/page-types.ts [--check] --check: reports whether the committed types are
//   current
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { accountDocument } from '../src/http/account-api/app.ts';
import { root } from './stamps.mjs';

const file = join(root, 'page', 'src', 'api', 'schema.ts');
const types = astToString(
  await openapiTypes(JSON.stringify(accountDocument('0.0.0')), { alphabetize: true }),
);
const text = `// Made by scripts/page-types.ts from the server's OpenAPI document.\n${types}`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.log(
    'page/src/api/schema.ts is not what the server says: run npx node scripts/page-types.ts',
  );
  process.exitCode = 1;
}
