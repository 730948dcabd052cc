// Writes the types of the account API that the page uses, from the server's OpenAPI document. Also
// writes types and constants for jobs, discs and audit actions, from their tables.
//   npx node scripts/page-types.ts [--check]
// --check reports whether the committed types are current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { plainActions } from '../src/core/audit/actions.ts';
import { apiJobKinds, apiOptionsOf } from '../src/core/jobs/job-kind.ts';
import type { JobKindData } from '../src/core/jobs/job-kind-data.ts';
import { jobKinds } from '../src/core/jobs/job-kinds.ts';
import { discKinds, discProperties } from '../src/core/library/discs.ts';
import { accountDocument } from '../src/http/account-api/app.ts';
import { snakeCase } from '../src/http/account-api/jobs/jobs.ts';
import { root } from './stamps.mjs';

const file = join(root, 'page', 'src', 'api', 'schema.ts');
const types = astToString(
  await openapiTypes(JSON.stringify(accountDocument('0.0.0')), { alphabetize: true }),
);
const text = `// Made by scripts/page-types.ts from the server's OpenAPI document.\n${types}${tableTypes()}`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.log(
    'page/src/api/schema.ts is not what the server says: run npx node scripts/page-types.ts',
  );
  process.exitCode = 1;
}

/**
 * Returns the types and constants of the kinds of jobs and their options, of the names of discs,
 * and of the actions of the audit.
 */
function tableTypes(): string {
  const kinds: readonly JobKindData[] = Object.values(jobKinds);
  const options = apiJobKinds.map((kind) => [kind, pageOptions(kind)]);
  const discNames = Object.fromEntries(discKinds.map((kind) => [kind, discProperties(kind).name]));
  const jobActions = Object.keys(jobKinds).flatMap((kind) => [`${kind}.start`, `${kind}.stop`]);
  return `
// Made from src/core/jobs/job-kinds.ts.

export type JobKind = ${union(Object.keys(jobKinds))};

export type JobPhase = ${union(kinds.flatMap(({ phases }) => phases))};

/** The fields of reports that the page shows. */
export type JobReportField = ${union(kinds.flatMap(shownFields))};

/** The options of each kind of job that the API starts. */
export const jobOptions = ${JSON.stringify(Object.fromEntries(options), null, 4)} as const;

// Made from src/core/library/discs.ts.

/** The names of the kinds of discs. */
export const discNames = ${JSON.stringify(discNames, null, 4)} as const;

// Made from src/core/audit/actions.ts.

/** The actions of the audit, except those of jobs. */
export type PlainAction = ${union(plainActions)};

/** All actions of the audit. */
export const auditActions = ${JSON.stringify([...plainActions, ...jobActions], null, 4)} as const;
`;
}

function pageOptions(kind: (typeof apiJobKinds)[number]): object[] {
  return Object.entries(apiOptionsOf(kind)).map(([name, option]) => ({
    name,
    type: option.type,
    ...(option.isRequired && { isRequired: true }),
    ...('isOn' in option && { isOn: true }),
    ...('isAdminOnly' in option && { isAdminOnly: true }),
  }));
}

/**
 * Returns the names of the fields of a report that contain numbers, lists or the name of a file.
 */
function shownFields({ report }: JobKindData): string[] {
  const fields = Object.entries(report).filter(
    ([name, type]) => name === 'file' || /number|list/.test(type),
  );
  return fields.map(([name]) => snakeCase(name));
}

function union(names: readonly string[]): string {
  return [...new Set(names)].map((name) => JSON.stringify(name)).join(' | ');
}
