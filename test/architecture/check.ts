// Checks the rules for dependencies, comments and documents. Also checks that planted violations
// are reported. `npm run check` runs this program. Prints one line if there are no findings.
// Otherwise prints one line per finding and exits with 1.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import {
  allowed,
  breaches,
  crowdedRooms,
  doubleBreaches,
  environmentReads,
  longFiles,
  looseTests,
  lostPaths,
  messageComparisons,
  noCrowdedRooms,
  noEnvironmentReads,
  noLongFiles,
  noLooseTests,
  noLostPaths,
  noMessageComparisons,
  noPageRequests,
  noRootAddresses,
  noSqliteWords,
  pageRequests,
  rootAddresses,
  sqliteWords,
} from './breaches.ts';
import { findLostPaths } from './document-paths.ts';
import { findEnvironmentReads } from './environment.ts';
import { findMessageComparisons } from './error-messages.ts';
import { findLongFile } from './file-sizes.ts';
import { findLooseTests } from './loose-tests.ts';
import { findRootAddresses } from './page-links.ts';
import { findRequests } from './page-requests.ts';
import { findHardComments } from './plain-comments.ts';
import { findHardLines } from './plain-documents.ts';
import { plantTree } from './planted-tree.ts';
import { hardComments, hardLines, plainComments, plainLines } from './planted-words.ts';
import { findCrowdedRooms } from './room-sizes.ts';
import { findSqliteWords } from './sqlite-words.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = [
  'src',
  'test',
  'bench',
  'trust',
  'scale',
  'measure',
  'scripts',
  'page/src',
  'page/test',
  'page/vite.config.ts',
];

/**
 * Files that the check of comments skips: a generated file, and the file with the planted
 * comments.
 */
const uncheckedComments = ['page/src/api/schema.ts', 'test/architecture/planted-words.ts'];

/**
 * All files that documents may name: the files of the repository, except those in hidden or
 * generated folders.
 */
const named = readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
  if (entry.isFile()) return [entry.name];
  return /^(\.|dist$|node_modules$|catalog-|test-output$)/.test(entry.name)
    ? []
    : filesIn(entry.name);
});
const readNamed = (file: string) => readFileSync(join(root, file), 'utf8');
const findLost = findLostPaths(named, readNamed);

const plainly = 'language: reword this in plain English (CONTRIBUTING.md)';

const project = await cruiseClone(root);
const findings = [
  ...violations(project),
  ...unseenFiles(project),
  ...findEnvironmentReaders(),
  ...findMessageComparers(),
  ...findSqliteUsers(),
  ...findRequestSenders(),
  ...findLinksWithoutBasePath(),
  ...findAllHardComments(),
  ...findAllHardLines(),
  ...findDeadPaths(),
  ...findCrowdedRooms(['src', 'page/src', 'page/test', 'test'].flatMap(filesIn)),
  ...findLongFiles(),
  ...findAllLooseTests(),
  ...(await findFailingRules()),
  ...findWrongVerdicts(findEnvironmentReads, environmentReads, noEnvironmentReads),
  ...findWrongVerdicts(findMessageComparisons, messageComparisons, noMessageComparisons),
  ...findWrongFileVerdicts(findSqliteWords, sqliteWords, noSqliteWords),
  ...findWrongFileVerdicts(findRequests, pageRequests, noPageRequests),
  ...findWrongFileVerdicts(findHardComments, hardComments, plainComments),
  ...findWrongFileVerdicts(findHardLines, hardLines, plainLines),
  ...findWrongFileVerdicts(findRootAddresses, rootAddresses, noRootAddresses),
  ...findWrongFileVerdicts(findLost, lostPaths, noLostPaths),
  ...findWrongVerdicts(crowdedRoomsOf, crowdedRooms, noCrowdedRooms),
  ...findWrongVerdicts(longFilesOf, longFiles, noLongFiles),
  ...findWrongFileVerdicts(findLooseTests, looseTests, noLooseTests),
];
for (const finding of findings) console.log(finding);
const seen = `${project.summary.totalCruised} modules, ${breaches.length} planted breaches`;
console.log(findings.length === 0 ? seen : `${findings.length} findings (${seen})`);
process.exitCode = findings.length === 0 ? 0 : 1;

async function cruiseClone(clone: string): Promise<ICruiseResult> {
  const options = await extractOptions(join(root, '.dependency-cruiser.cjs'));
  const present = folders.filter((folder) => existsSync(join(clone, folder)));
  const tsConfig = extractTsConfig(join(root, 'tsconfig.json'));
  const { output } = await cruise(present, { ...options, baseDir: clone }, undefined, { tsConfig });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

function violations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

/**
 * Checks that dependency-cruiser has read every file of src and of the page. A tool that reads
 * nothing would report no violations.
 */
function unseenFiles({ modules }: ICruiseResult): string[] {
  const seenNames = new Set(modules.map((module) => module.source));
  return ['src/core/shared/errors.ts', ...sourceFiles(), ...pageFiles()]
    .filter((file) => !seenNames.has(file))
    .map((file) => `not read by dependency-cruiser: ${file}`);
}

function findLongFiles(): string[] {
  const files = folders.filter((folder) => !folder.endsWith('.ts')).flatMap(filesIn);
  return files.flatMap((file) =>
    findLongFile(file, readFileSync(join(root, file), 'utf8').split('\n').length - 1),
  );
}

function findAllLooseTests(): string[] {
  return ['test', 'page/test']
    .flatMap(filesIn)
    .flatMap((file) =>
      findLooseTests(file, readNamed(file)).map(
        (line) => `tests: put this test into a describe that names the unit: ${file}:${line}`,
      ),
    );
}

function findEnvironmentReaders(): string[] {
  return sourceFiles()
    .filter((file) => file !== 'src/settings/config.ts')
    .flatMap((file) =>
      findEnvironmentReads(readFileSync(join(root, file), 'utf8')).map(
        (line) => `environment: only src/settings/config.ts may read it: ${file}: ${line}`,
      ),
    );
}

function findSqliteUsers(): string[] {
  return sourceFiles().flatMap((file) =>
    findSqliteWords(file, readFileSync(join(root, file), 'utf8')).map(
      (line) => `engine: only src/sql/sqlite/ may mention SQLite: ${file}:${line}`,
    ),
  );
}

/**
 * Returns requests to the server outside `page/src/api/`. Only this folder may send requests,
 * because only its files interpret refusals and missing responses.
 */
function findRequestSenders(): string[] {
  return pageFiles().flatMap((file) =>
    findRequests(file, readFileSync(join(root, file), 'utf8')).map(
      (line) => `page: only page/src/api/ may send requests to the server: ${file}:${line}`,
    ),
  );
}

function findLinksWithoutBasePath(): string[] {
  return pageFiles().flatMap((file) =>
    findRootAddresses(file, readFileSync(join(root, file), 'utf8')).map(
      (line) => `page: build this URL with page/src/base-path.ts: ${file}:${line}`,
    ),
  );
}

/** Returns hard comments of the code, the tests, the scripts and the files of `deploy/`. */
function findAllHardComments(): string[] {
  const others = ['test', 'page/test', 'bench', 'trust', 'scale', 'measure', 'scripts', 'bin'];
  const code = others.flatMap(filesIn).filter((name) => /\.(ts|mjs|js)$/.test(name));
  const settings = ['.dependency-cruiser.cjs', 'vitest.config.ts', 'page/vite.config.ts'];
  return [...sourceFiles(), ...pageFiles(), ...code, ...settings, ...filesIn('deploy')]
    .filter((file) => !uncheckedComments.includes(file))
    .flatMap((file) =>
      findHardComments(file, readNamed(file)).map((line) => `${plainly}: ${file}:${line}`),
    );
}

/** Returns hard lines of documents. */
function findAllHardLines(): string[] {
  return named
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      findHardLines(file, readNamed(file)).map((line) => `${plainly}: ${file}:${line}`),
    );
}

/**
 * Returns the names in documents whose target does not exist. The changelog is not checked, because
 * the changelog may name removed files.
 */
function findDeadPaths(): string[] {
  return named
    .filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
    .flatMap((file) =>
      findLost(file, readNamed(file)).map(
        (line) => `documents: this must name exactly one file, folder or heading: ${file}:${line}`,
      ),
    );
}

/**
 * Returns code that branches on an error's message. Code must branch on the kind or code of an
 * error instead.
 */
function findMessageComparers(): string[] {
  return sourceFiles().flatMap((file) =>
    findMessageComparisons(readFileSync(join(root, file), 'utf8')).map(
      (line) => `error messages: code must not depend on a message: ${file}: ${line}`,
    ),
  );
}

function sourceFiles(): string[] {
  return filesIn('src').filter((name) => name.endsWith('.ts'));
}

function pageFiles(): string[] {
  return filesIn('page/src').filter((name) => /\.(ts|svelte)$/.test(name));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'));
}

/**
 * Plants all violations in a generated clone. Returns violations that are not reported, allowed
 * imports that are reported, and rules without a violation.
 */
async function findFailingRules(): Promise<string[]> {
  const tree = plantTree(root, [...breaches, ...doubleBreaches, ...allowed]);
  try {
    const found = new Set(violations(await cruiseClone(tree)));
    const expected = new Set([
      ...[...breaches, ...doubleBreaches].map((each) => describe(each.rule, each)),
      ...doubleBreaches.map((each) => describe(each.and, each)),
    ]);
    return [
      ...[...expected]
        .filter((each) => !found.has(each))
        .map((each) => `planted, not reported: ${each}`),
      ...[...found]
        .filter((each) => !expected.has(each))
        .map((each) => `allowed, but reported: ${each}`),
      ...(await findRulesWithoutBreach()),
    ];
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function describe(rule: string, { from, to }: { from: string; to: string }): string {
  const isPackage = existsSync(join(root, 'node_modules', to, 'package.json'));
  const target = isPackage ? `node_modules/${to}/index.js` : to.replace(/^node:/, '');
  return `${rule}: ${from} -> ${target}`;
}

async function findRulesWithoutBreach(): Promise<string[]> {
  const { ruleSet } = await extractOptions(join(root, '.dependency-cruiser.cjs'));
  const planted = new Set(breaches.map((each) => each.rule));
  return (ruleSet?.forbidden ?? [])
    .filter((rule) => !planted.has(rule.name ?? ''))
    .map((rule) => `no breach is planted for the rule ${rule.name}`);
}

/** Judges a line that lists a folder's path and its number of files. */
function crowdedRoomsOf(line: string): string[] {
  const [folder, size] = line.split(' ');
  return findCrowdedRooms(
    Array.from({ length: Number(size) }, (_, index) => `${folder}/${index}.ts`),
  );
}

/** Judges a line that lists a file's path and its number of lines. */
function longFilesOf(line: string): string[] {
  const [file = '', lines] = line.split(' ');
  return findLongFile(file, Number(lines));
}

function findWrongVerdicts(
  find: (text: string) => string[],
  breaches: readonly string[],
  allowed: readonly string[],
): string[] {
  const isReported = (line: string) => find(line).length > 0;
  return [
    ...breaches.filter((line) => !isReported(line)).map((line) => `planted, not reported: ${line}`),
    ...allowed.filter(isReported).map((line) => `allowed, but reported: ${line}`),
  ];
}

interface Line {
  readonly file: string;
  readonly line: string;
}

function findWrongFileVerdicts(
  find: (file: string, text: string) => string[],
  breaches: readonly Line[],
  allowed: readonly Line[],
): string[] {
  const isReported = ({ file, line }: Line) => find(file, line).length > 0;
  return [
    ...breaches
      .filter((each) => !isReported(each))
      .map(({ line }) => `planted, not reported: ${line}`),
    ...allowed.filter(isReported).map(({ line }) => `allowed, but reported: ${line}`),
  ];
}
