/**
 * An import that a rule of .dependency-cruiser.cjs must report. `to` is a file of src or the name
 * of a module.
 */
export interface Breach {
  rule: string;
  from: string;
  to: string;
  /** True if only a type is imported. */
  typeOnly?: true;
}

/**
 * Violations, at least one per rule. The check plants each import in a generated src. The rule of
 * the violation must report the import. No other rule may report it.
 */
export const breaches: Breach[] = [
  { rule: 'main', from: 'src/main.ts', to: 'src/wire/open-catalog.ts' },
  { rule: 'main', from: 'src/main.ts', to: 'src/core/shared/errors.ts' },
  { rule: 'node-version', from: 'src/program/node-version.ts', to: 'src/core/shared/errors.ts' },
  { rule: 'node-version', from: 'src/program/node-version.ts', to: 'node:fs' },
  { rule: 'compiled-code', from: 'src/program/compiled-code.ts', to: 'src/core/shared/errors.ts' },
  { rule: 'compiled-code', from: 'src/program/compiled-code.ts', to: 'commander' },
  { rule: 'cli', from: 'src/cli/commands/serve.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'cli', from: 'src/cli/commands/import.ts', to: 'src/dats/logiqx.ts' },
  { rule: 'cli', from: 'src/cli/commands/users.ts', to: 'src/passwords/argon2.ts' },
  { rule: 'jobs', from: 'src/jobs/scan-work.ts', to: 'src/cli/output/output.ts' },
  { rule: 'jobs', from: 'src/jobs/scan-work.ts', to: 'src/wire/open-catalog.ts' },
  { rule: 'demo', from: 'src/demo/fill.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'demo', from: 'src/demo/fill.ts', to: 'src/wire/open-catalog.ts' },
  { rule: 'wire', from: 'src/wire/open-catalog.ts', to: 'src/demo/rooms.ts' },
  { rule: 'wire', from: 'src/wire/restore.ts', to: 'src/cli/commands/restore.ts' },
  { rule: 'wire', from: 'src/wire/restore.ts', to: 'src/wire/open-catalog.ts' },
  { rule: 'wire', from: 'src/wire/features/jobs.ts', to: 'src/wire/open-catalog.ts' },
  { rule: 'wire', from: 'src/wire/features/covers.ts', to: 'src/http/account-api/app.ts' },
  {
    rule: 'wire',
    from: 'src/wire/open-catalog.ts',
    to: 'src/cli/commands/serve.ts',
    typeOnly: true,
  },
  { rule: 'log', from: 'src/program/log.ts', to: 'src/core/jobs/job.ts', typeOnly: true },
  { rule: 'config', from: 'src/settings/config.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'config', from: 'src/settings/settings.ts', to: 'src/program/log.ts' },
  { rule: 'adapter', from: 'src/http/shared/files/send-file.ts', to: 'src/files/local.ts' },
  { rule: 'adapter', from: 'src/sql/jobs/job-records.ts', to: 'src/files/local.ts' },
  { rule: 'adapter', from: 'src/sql/migrate.ts', to: 'src/settings/config.ts', typeOnly: true },
  { rule: 'adapter', from: 'src/files/bucket.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'adapter', from: 'src/zip/read.ts', to: 'src/disk/walk/walk.ts' },
  { rule: 'adapter', from: 'src/files/unzip.ts', to: 'src/zip/read.ts' },
  { rule: 'zip-user', from: 'src/disk/walk/walk.ts', to: 'src/files/local.ts' },
  { rule: 'zip-user', from: 'src/disk/dat.ts', to: 'src/dats/logiqx.ts', typeOnly: true },
  { rule: 'zip-user', from: 'src/dats/clrmamepro.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'adapter', from: 'src/remote/covers.ts', to: 'src/files/local.ts' },
  { rule: 'adapter', from: 'src/passwords/argon2.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'adapter', from: 'src/processes/child-processes.ts', to: 'src/cli/commands/job.ts' },
  { rule: 'core', from: 'src/core/jobs/jobs.ts', to: 'src/sql/engine/open.ts' },
  { rule: 'core', from: 'src/core/jobs/heap.ts', to: 'src/memory/collect-garbage.ts' },
  { rule: 'memory', from: 'src/memory/small-heap.ts', to: 'src/core/shared/errors.ts' },
  { rule: 'core', from: 'src/core/jobs/lease.ts', to: 'src/settings/config.ts', typeOnly: true },
  { rule: 'core-feature', from: 'src/core/covers/covers.ts', to: 'src/core/store/store.ts' },
  {
    rule: 'core-feature',
    from: 'src/core/store/archive-name.ts',
    to: 'src/core/stats/stats.ts',
    typeOnly: true,
  },
  { rule: 'core-feature', from: 'src/core/shared/page.ts', to: 'src/core/stats/stats.ts' },
  { rule: 'core-no-package', from: 'src/core/imports/dat.ts', to: 'commander' },
  { rule: 'core-no-package', from: 'src/core/imports/logger.ts', to: 'pino', typeOnly: true },
  { rule: 'core-no-io', from: 'src/core/store/pipe.ts', to: 'node:stream' },
  { rule: 'core-no-io-types', from: 'src/core/store/stat.ts', to: 'node:fs', typeOnly: true },
  { rule: 'core-no-io-types', from: 'src/core/store/peer.ts', to: 'node:net', typeOnly: true },
  {
    rule: 'api-apart',
    from: 'src/http/minimal-api/covers.ts',
    to: 'src/http/account-api/releases/covers.ts',
  },
  {
    rule: 'api-apart',
    from: 'src/http/account-api/stats/stats.ts',
    to: 'src/http/minimal-api/stats.ts',
  },
  { rule: 'sqlite-package', from: 'src/cli/commands/backup.ts', to: 'better-sqlite3' },
  {
    rule: 'sqlite-package',
    from: 'src/sql/releases/release-records.ts',
    to: 'better-sqlite3',
    typeOnly: true,
  },
  {
    rule: 'postgres-package',
    from: 'src/sql/releases/release-records.ts',
    to: 'pg',
    typeOnly: true,
  },
  { rule: 'postgres-package', from: 'src/sql/sqlite/stream.ts', to: 'pg-cursor' },
  {
    rule: 'engine',
    from: 'src/sql/jobs/job-records.ts',
    to: 'src/sql/sqlite/errors.ts',
    typeOnly: true,
  },
  { rule: 'engine', from: 'src/sql/jobs/lease-records.ts', to: 'src/sql/postgres/errors.ts' },
  {
    rule: 'engines-apart',
    from: 'src/sql/postgres/lists.ts',
    to: 'src/sql/sqlite/threads/values.ts',
  },
  { rule: 'engines-apart', from: 'src/sql/sqlite/lists.ts', to: 'src/sql/postgres/values.ts' },
  { rule: 'sql-packages', from: 'src/http/shared/page.ts', to: 'kysely', typeOnly: true },
  { rule: 'http-packages', from: 'src/cli/health.ts', to: 'fastify' },
  { rule: 'http-packages', from: 'src/disk/upload.ts', to: '@fastify/busboy' },
  { rule: 'http-packages', from: 'src/settings/schema.ts', to: 'typebox', typeOnly: true },
  { rule: 'xml-package', from: 'src/dats/read.ts', to: 'saxes' },
  { rule: 'zstd-package', from: 'src/zip/zip-entries.ts', to: 'zstddec' },
  { rule: 'address-package', from: 'src/http/shared/server/client-context.ts', to: 'ipaddr.js' },
  { rule: 'seven-zip-package', from: 'src/zip/zip-entries.ts', to: '7z-wasm' },
  { rule: 'zip-package', from: 'src/dats/files/zip.ts', to: 'yauzl' },
  { rule: 'zip-package', from: 'src/disk/containers/zip.ts', to: 'yauzl', typeOnly: true },
  { rule: 'password-package', from: 'src/cli/hash.ts', to: '@node-rs/argon2' },
  { rule: 'tar-package', from: 'src/zip/bundle.ts', to: 'modern-tar' },
  { rule: 's3-package', from: 'src/files/bucket.ts', to: '@aws-sdk/client-s3' },
  {
    rule: 's3-package',
    from: 'src/wire/open-catalog.ts',
    to: '@aws-sdk/client-s3',
    typeOnly: true,
  },
  { rule: 'image-package', from: 'src/files/preview.ts', to: 'sharp' },
  { rule: 'metrics-package', from: 'src/http/shared/server/server.ts', to: 'prom-client' },
  {
    rule: 'image-package',
    from: 'src/http/account-api/picture.ts',
    to: 'sharp',
    typeOnly: true,
  },
  { rule: 'adapter', from: 'src/images/shrink.ts', to: 'src/files/local.ts' },
  { rule: 'page-apart', from: 'page/src/api/request.ts', to: 'src/core/shared/errors.ts' },
  { rule: 'page-apart', from: 'page/src/routes/Screen.svelte', to: 'src/core/jobs/job.ts' },
  { rule: 'page-apart', from: 'page/vite.config.ts', to: 'scripts/stamps.ts' },
  { rule: 'no-page', from: 'src/http/page/serve.ts', to: 'page/src/api/schema.ts', typeOnly: true },
  { rule: 'page-apart', from: 'page/src/api/check.ts', to: 'trust/check.ts' },
  { rule: 'no-page', from: 'bench/page.ts', to: 'page/src/api/request.ts' },
  { rule: 'page-packages', from: 'bench/main.ts', to: 'svelte' },
  { rule: 'page-packages', from: 'bench/main.ts', to: 'vite' },
  { rule: 'page-packages', from: 'trust/main.ts', to: 'vite' },
  { rule: 'no-dev-package', from: 'src/cli/version.ts', to: 'vitest' },
  { rule: 'page-apart', from: 'page/src/api/picture.ts', to: 'measure/memory.ts' },
  { rule: 'page-packages', from: 'measure/page.ts', to: 'svelte' },
  { rule: 'measures-apart', from: 'bench/data/small.ts', to: 'trust/check.ts', typeOnly: true },
  { rule: 'measures-apart', from: 'trust/races.ts', to: 'bench/rows/import-rows.ts' },
  { rule: 'measures-apart', from: 'scale/rows/person.ts', to: 'trust/trial.ts' },
  { rule: 'measured', from: 'scripts/count.ts', to: 'trust/check.ts' },
  { rule: 'measured', from: 'measure/wait.ts', to: 'bench/row.ts', typeOnly: true },
  { rule: 'measured', from: 'test/support/row.ts', to: 'scale/row.ts' },
  { rule: 'measure', from: 'scripts/dats.ts', to: 'measure/dats.ts' },
  { rule: 'measure', from: 'src/demo/dats.ts', to: 'measure/dats.ts' },
  { rule: 'no-test', from: 'measure/request.ts', to: 'test/support/http/app.ts' },
  { rule: 'no-test', from: 'src/core/jobs/fake.ts', to: 'test/support/http/app.ts' },
  { rule: 'no-test', from: 'bench/main.ts', to: 'test/support/http/app.ts' },
  { rule: 'no-cycle', from: 'src/disk/one.ts', to: 'src/disk/two.ts' },
  { rule: 'resolvable', from: 'src/disk/three.ts', to: 'a-package-that-is-not-there' },
];

/** Imports that violate two rules. Both rules must report each import. */
export const doubleBreaches: (Breach & { and: string })[] = [
  { rule: 'page-packages', and: 'no-dev-package', from: 'src/http/render.ts', to: 'svelte' },
  { rule: 'page-apart', and: 'no-test', from: 'page/src/app.ts', to: 'test/support/http/app.ts' },
  ...['node:fs', 'node:http', 'node:net', 'node:worker_threads', 'node:child_process'].map(
    (to) => ({
      rule: 'core-no-io',
      and: 'core-no-io-types',
      from: `src/core/library/${to.slice('node:'.length)}.ts`,
      to,
    }),
  ),
];

/** Allowed imports. No rule may report any of them. */
export const allowed: Omit<Breach, 'rule'>[] = [
  // closes the planted cycle, which is reported only once
  { from: 'src/disk/two.ts', to: 'src/disk/one.ts', typeOnly: true },
  { from: 'src/main.ts', to: 'src/program/node-version.ts' },
  { from: 'src/main.ts', to: 'src/program/compiled-code.ts' },
  { from: 'src/program/compiled-code.ts', to: 'node:module' },
  { from: 'src/main.ts', to: 'src/cli/program.ts' },
  { from: 'src/cli/program.ts', to: 'src/wire/open-catalog.ts' },
  { from: 'src/cli/program.ts', to: 'src/settings/config.ts' },
  { from: 'src/cli/program.ts', to: 'src/demo/fill.ts' },
  { from: 'src/cli/program.ts', to: 'src/jobs/work.ts' },
  { from: 'src/jobs/work.ts', to: 'src/wire/catalog.ts', typeOnly: true },
  { from: 'src/demo/fill.ts', to: 'src/wire/catalog.ts', typeOnly: true },
  { from: 'src/demo/fill.ts', to: 'src/images/shrink.ts' },
  { from: 'src/demo/fill.ts', to: 'src/zip/read.ts' },
  { from: 'src/cli/program.ts', to: 'src/settings/settings.ts' },
  { from: 'src/cli/program.ts', to: 'src/program/log.ts' },
  { from: 'src/cli/program.ts', to: 'src/http/server.ts' },
  { from: 'src/cli/program.ts', to: 'src/core/shared/errors.ts' },
  { from: 'src/cli/program.ts', to: 'src/core/releases/releases.ts', typeOnly: true },
  { from: 'src/cli/program.ts', to: 'commander' },
  { from: 'src/wire/open-catalog.ts', to: 'src/settings/config.ts' },
  { from: 'src/wire/open-catalog.ts', to: 'src/wire/features/accounts.ts' },
  ...['core/releases/releases', 'sql/engine/open', 'files/local', 'disk/walk', 'dats/logiqx'].map(
    (name) => ({ from: 'src/wire/open-catalog.ts', to: `src/${name}.ts` }),
  ),
  { from: 'src/wire/open-catalog.ts', to: 'src/remote/covers.ts' },
  { from: 'src/wire/open-catalog.ts', to: 'src/passwords/argon2.ts' },
  { from: 'src/settings/config.ts', to: 'src/settings/settings.ts' },
  { from: 'src/settings/settings.ts', to: 'src/core/shared/errors.ts' },
  { from: 'src/program/log.ts', to: 'src/core/shared/text.ts' },
  { from: 'src/core/releases/releases.ts', to: 'src/core/releases/ports.ts' },
  { from: 'src/core/releases/releases.ts', to: 'src/core/shared/errors.ts' },
  { from: 'src/core/releases/releases.ts', to: 'node:crypto' },
  { from: 'src/core/releases/ports.ts', to: 'node:stream', typeOnly: true },
  { from: 'src/sql/releases/release-records.ts', to: 'src/core/releases/ports.ts', typeOnly: true },
  { from: 'src/sql/releases/release-records.ts', to: 'src/sql/engine/open.ts' },
  { from: 'src/sql/engine/open.ts', to: 'src/sql/sqlite/open.ts' },
  { from: 'src/sql/sqlite/open.ts', to: 'src/sql/engine/engine.ts' },
  { from: 'src/sql/sqlite/open.ts', to: 'better-sqlite3' },
  { from: 'src/sql/engine/open.ts', to: 'src/sql/postgres/open-current.ts' },
  { from: 'src/sql/postgres/open.ts', to: 'src/sql/engine/engine.ts' },
  { from: 'src/sql/postgres/open.ts', to: 'pg' },
  { from: 'src/sql/releases/release-records.ts', to: 'kysely' },
  { from: 'src/sql/sqlite/threads/thread.ts', to: 'node:worker_threads' },
  { from: 'src/http/server.ts', to: 'src/http/account-api/app.ts' },
  { from: 'src/http/account-api/app.ts', to: 'src/http/shared/files/send-file.ts' },
  { from: 'src/http/account-api/app.ts', to: 'fastify' },
  { from: 'src/http/account-api/app.ts', to: '@fastify/busboy' },
  { from: 'src/http/account-api/schemas.ts', to: 'typebox' },
  { from: 'src/dats/xml/logiqx.ts', to: 'saxes' },
  { from: 'src/disk/containers/zip.ts', to: 'src/zip/read.ts' },
  { from: 'src/disk/walk/walk.ts', to: 'src/memory/collect-garbage.ts' },
  { from: 'src/files/local.ts', to: 'src/memory/collect-garbage.ts' },
  { from: 'src/http/server.ts', to: 'src/memory/collect-garbage.ts' },
  { from: 'src/cli/program.ts', to: 'src/memory/collect-garbage.ts' },
  { from: 'src/jobs/work.ts', to: 'src/memory/collect-garbage.ts' },
  { from: 'src/dats/files/zip.ts', to: 'src/zip/read.ts' },
  { from: 'src/zip/read.ts', to: 'src/core/shared/errors.ts' },
  { from: 'src/zip/read.ts', to: 'yauzl' },
  { from: 'src/disk/containers/zstd.ts', to: 'zstddec' },
  { from: 'src/disk/unpack/seven-zip-program.ts', to: '7z-wasm' },
  { from: 'src/passwords/argon2.ts', to: '@node-rs/argon2' },
  { from: 'src/files/s3/client/bucket.ts', to: '@aws-sdk/client-s3' },
  { from: 'src/images/shrink.ts', to: 'sharp' },
  { from: 'src/http/metrics/metrics.ts', to: 'prom-client' },
  { from: 'src/wire/open-catalog.ts', to: 'src/images/shrink.ts' },
  { from: 'page/src/routes/Screen.svelte', to: 'page/src/parts/Icon.svelte' },
  { from: 'page/src/routes/Screen.svelte', to: 'svelte' },
  { from: 'page/test/place.test.ts', to: 'page/src/api/request.ts' },
  ...['bench', 'trust', 'scale'].map((from) => ({
    from: `${from}/main.ts`,
    to: 'measure/program.ts',
  })),
  { from: 'test/trust/races.test.ts', to: 'trust/check.ts' },
  { from: 'test/cli/serve.test.ts', to: 'test/support/http/app.ts' },
  { from: 'test/cli/serve.test.ts', to: 'src/sql/engine/open.ts' },
];

/**
 * Lines that branch on an error's message. The check must report them. `noMessageComparisons` has
 * lines that only pass a message on.
 */
export const messageComparisons = [
  "if (error instanceof CatalogError && error.message === 'not authenticated') {",
  "if ('busy' !== error.message) throw error;",
  "return (error as Error).message.startsWith('EIO');",
  "if (error?.message?.includes('locked')) return busy();",
  'return /^E[A-Z0-9]+: /.test(message);',
  'const [code] = /^[A-Z]+/.exec(error.message) ?? [];',
  'switch (error.message) {',
];
export const noMessageComparisons = [
  'reply.code(status).send(body(error.message));',
  "return error.message.split(':')[5];",
  'const { message, code } = error;',
  "// error.message === 'not found'",
  "if (error.kind === 'busy') process.stderr.write(error.message);",
];

/**
 * Lines that read the environment, which the check must report. `noEnvironmentReads` has lines that
 * do not read it.
 */
export const environmentReads = [
  'const port = process.env.CATALOG_PORT;',
  'const { env } = process;',
  "const data = process['env']['CATALOG_DATA'];",
  "import { env } from 'node:process';",
  "import * as process from 'process';",
];
export const noEnvironmentReads = [
  'const environment = read();',
  '// config.ts alone reads process.env',
  'const { argv } = process;',
  'process.exit(1);',
];

const inReleases = (line: string) => ({ file: 'src/sql/releases/release-records.ts', line });

/**
 * Lines that mention SQLite, which the check must report. `noSqliteWords` has lines that do not
 * mention SQLite, or that are allowed to mention it.
 */
export const sqliteWords = [
  ...[
    '// SQLite reads the left table first',
    "import Database from 'better-sqlite3';",
    "import { SqlError } from '../sqlite/errors.ts';",
    'sql`SELECT rowid FROM release_name WHERE name LIKE ?`',
    'sql`SELECT value FROM json_each(?)`',
    'sql`json_group_array(name)`',
    "sql`json_object('name', name)`",
    "sql`identity ->> 'disc'`",
    "sql`group_concat(name, ', ')`",
    'sql`instr(text, ?) > 0`',
    'sql`value IS NOT ?`',
    'sql`pragma cache_size`',
    'sql`INSERT OR IGNORE INTO rom_hash VALUES (?, ?)`',
    "'CREATE TEMP TABLE known (id INTEGER)',",
    '/** Leaves them in TEMP tables. */',
    'sql`DROP TABLE temp.known`',
    ') STRICT, WITHOUT ROWID`,',
    'sql`SELECT * FROM (SELECT 1) LIMIT -1`',
    "'CREATE VIRTUAL TABLE found USING fts5 (name)',",
    'sql`rom CROSS JOIN release ON release.id = release_id`',
  ].map(inReleases),
  { file: 'src/sql/engine/open.ts', line: '  const engine = await openSqlite(file);' },
  { file: 'src/files/data-folder.ts', line: "'where SQLite loses data'" },
];
export const noSqliteWords = [
  ...[
    'sql`value IS NOT NULL AND value IS DISTINCT FROM ?`',
    '// a release that is not there',
    'const roms = dialect.jsonArray(dialect.jsonObject(fields), position);',
    'const text = await template.read();',
    'INSERT INTO rom_hash VALUES (?, ?) ON CONFLICT DO NOTHING',
  ].map(inReleases),
  { file: 'src/sql/engine/open.ts', line: "import { openSqlite } from '../sqlite/open.ts';" },
  { file: 'src/sql/sqlite/threads/worker.ts', line: "import Database from 'better-sqlite3';" },
];

const onScreen = (line: string) => ({ file: 'page/src/routes/+page.svelte', line });

/**
 * Lines of the page that send a request to the server, which the check must report.
 * `noPageRequests` has lines that send no request, or that are allowed to send one.
 */
export const pageRequests = [
  "const answer = await fetch('/api/releases');",
  'export const load = ({ fetch }) => read(fetch);',
  'void globalThis.fetch(address);',
  'const request = new XMLHttpRequest();',
  "navigator.sendBeacon('/api/seen');",
  "const events = new EventSource('/api/events');",
].map(onScreen);
export const noPageRequests = [
  ...[
    '<img fetchpriority="high" src={address}>',
    '/** Fetches the texts of the language in use. */',
    '// only api/ may fetch',
    'const fetched = await readRelease(id, signal);',
  ].map(onScreen),
  { file: 'page/src/api/request.ts', line: '    const answer = await fetch(address, init);' },
];

/**
 * Lines of the page that build a URL without the server's base path, which the check must report.
 * `noRootAddresses` has lines that do not.
 */
export const rootAddresses = [
  '<a href="/store">{t.store}</a>',
  '<a href={`/store`}>{t.store}</a>',
  "void goto('/store');",
  "const isStore = page.url.pathname === '/store';",
].map(onScreen);
export const noRootAddresses = [
  "<a href={withBasePath('/store')}>{t.store}</a>",
  '<a href="#main">{t.skipToContent}</a>',
  "void goto(withBasePath('/store'));",
  "const isStore = pathOf(page.url) === '/store';",
].map(onScreen);

/** Folders with their number of files. */
export const crowdedRooms = ['src/core/library 21', 'page/src/release 30', 'test/sql 21'];

export const noCrowdedRooms = [
  'src/core/library 20',
  'src/sql/sqlite/migrations 99',
  'test/sql/fixtures 30',
  'bench 40',
];

export const longFiles = ['src/sql/tables.ts 401', 'page/src/app.css 500', 'test/a.test.ts 441'];

export const noLongFiles = ['src/sql/tables.ts 400', 'test/a.test.ts 440', 'page/src/a.json 999'];

const inTest = (line: string) => ({ file: 'test/sets/sets.test.ts', line });

/** Tests outside of a `describe`. The check must report them, but none of `noLooseTests`. */
export const looseTests = [
  "test('saves a set', async () => {",
  "test.each([1, 2])('saves %i sets', async (count) => {",
  "testEngines('$name: saves a set', async ({ open }) => {",
  'for (const name of names) {\n  test(name, () => {',
].map(inTest);
export const noLooseTests = [
  ...[
    "describe('a set', () => {\n  test('is saved', async () => {",
    "for (const name of names) {\n  describe(name, () => {\n    test('is saved', () => {",
    "function useSets() {\n  test('is saved', async () => {",
    "if (lack !== null) test.skip('PostgreSQL');",
  ].map(inTest),
  { file: 'test/sets/suite.ts', line: "test('saves a set', async () => {" },
];

const inDocument = (line: string) => ({ file: 'docs/importing.md', line });

/**
 * Lines of documents with names whose target does not exist. The check must report these lines.
 * `noLostPaths` contains lines that the check must accept.
 */
export const lostPaths = [
  'Text is in src/core/shared/no-such-file.ts.',
  'Run `npm test -- test/no-such-folder`.',
  'The rule is in `no-such-file.ts`.',
  'Several files are named `dialect.ts`.',
  'The tables are in `sql/no-such-folder/`.',
  'See [the settings](no-such-document.md).',
  'See [the formats](library.md#no-such-heading).',
  'See [above](#no-such-heading).',
].map(inDocument);
export const noLostPaths = [
  'Text is in `src/core/shared/errors.ts`, near src/core/shared/.',
  'The rule is in `core/shared/errors.ts`, its check in `.dependency-cruiser.cjs`.',
  'Parsers are in `src/dats/…-dat.ts`, their tables in `sql/imports/`.',
  'The program is `dist/main.js`, its data is in `covers/` and /srv/docs/none.',
  'See [the formats](library.md#disc-images), [Reports](#reports) and [npm](https://npmjs.com).',
].map(inDocument);
