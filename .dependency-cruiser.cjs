// The rule of docs/architecture.md: dependencies point towards core. test/architecture/check.ts
// runs it, with one planted breach per rule. Type imports count like any other, in cycles too.
const adapters = 'http|sql|files|images|remote|passwords|processes|zip';
const package_ = (names) => `(^|/)node_modules/(@types/)?(${names})(/|$)`;
const anyPackage = '(^|/)node_modules/';

/** Returns a rule: modules at `from` may import from src only modules at `to`. */
const ring = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: to },
});

/** Returns a rule: only modules at `folder` may import these packages. */
const only = (name, folder, packages) => ({
  name,
  comment: `only ${folder} knows these packages`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^${folder}` },
  to: { path: package_(packages) },
});

module.exports = {
  forbidden: [
    ring(
      'main',
      '^src/main\\.ts$',
      '^src/(cli/|program/(node-version|compiled-code)\\.ts$)',
      'main -> cli, node-version, compiled-code',
    ),
    {
      name: 'node-version',
      comment: 'node-version.ts runs on any Node before anything is loaded: it imports nothing',
      severity: 'error',
      from: { path: '^src/program/node-version\\.ts$' },
      to: {},
    },
    {
      name: 'compiled-code',
      comment:
        'what compiled-code.ts imports is loaded before compiled code is kept: node built-ins alone',
      severity: 'error',
      from: { path: '^src/program/compiled-code\\.ts$' },
      to: { dependencyTypesNot: ['core'] },
    },
    ring(
      'cli',
      '^src/cli/',
      '^src/((cli|jobs|demo|http|core|memory|wire|settings)/|program/log\\.ts$)',
      'cli -> jobs, wire, settings, log, http, demo, memory; it is a thin reader of core',
    ),
    ring(
      'jobs',
      '^src/jobs/',
      '^src/((core|memory|jobs)/|wire/catalog\\.ts$)',
      'jobs -> wire/catalog.ts, core, memory; the work of each kind of job',
    ),
    ring(
      'wire',
      '^src/wire/',
      '^src/((core|sql|files|images|disk|dats|zip|remote|passwords|processes)/|wire/(?!open-catalog\\.ts$)|settings/config\\.ts$)',
      'wire -> core, the adapters, config; no http, no cli; open-catalog.ts stands above the rest of wire',
    ),
    ring(
      'demo',
      '^src/demo/',
      '^src/((core|images|zip|demo)/|wire/catalog\\.ts$)',
      'demo -> wire/catalog.ts, core, images, zip; it fills a catalogue as its users would',
    ),
    ring(
      'log',
      '^src/program/(log|outages|reason-of)\\.ts$',
      '^src/(core/shared/|program/(outages|reason-of)\\.ts$)',
      'log, outages, reason-of -> core/shared',
    ),
    ring('config', '^src/settings/', '^src/(core/shared|settings)/', 'settings -> core/shared'),
    ring(
      'adapter',
      `^src/(${adapters})/`,
      '^src/(core|memory|$1)/',
      'an adapter -> core, memory; adapters do not know one another, nor what stands above them',
    ),
    ring(
      'zip-user',
      '^src/(disk|dats)/',
      '^src/(core|memory|zip|$1)/',
      'the adapters that meet zips: as the others, and they know the room of zips',
    ),
    ring(
      'memory',
      '^src/memory/',
      '^src/memory/',
      'memory tells V8 how to use memory, for this thread; it knows nothing of the rest',
    ),
    ring('core', '^src/core/', '^src/core/', 'core knows nothing of what is around it'),
    ring(
      'core-feature',
      '^src/core/([^/]+)/',
      '^src/((?!core/)|core/($1|shared)/)',
      'core/<feature> -> core/shared and itself; it declares a small port for what it needs from another',
    ),
    {
      name: 'core-no-package',
      comment: 'core uses no packages',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: anyPackage, pathNot: '(^|/)node_modules/@types/node/' },
    },
    {
      name: 'core-no-io',
      comment: 'core does no I/O: of the built-ins it uses node:crypto, and node:async_hooks',
      severity: 'error',
      from: { path: '^src/core/' },
      to: {
        dependencyTypes: ['core'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^(node:)?(crypto|async_hooks)$',
      },
    },
    {
      name: 'core-no-io-types',
      comment: 'of the built-ins core may name the types of streams and of node:crypto',
      severity: 'error',
      from: { path: '^src/core/' },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(crypto|async_hooks|stream|stream/web)$',
      },
    },
    {
      name: 'api-apart',
      comment: 'the two APIs do not know one another',
      severity: 'error',
      from: { path: '^src/http/(account-api|minimal-api)/' },
      to: { path: '^src/http/(account-api|minimal-api)/', pathNot: '^src/http/$1/' },
    },
    only('sql-packages', 'src/sql/', 'kysely'),
    only('sqlite-package', 'src/sql/sqlite/', 'better-sqlite3'),
    only('postgres-package', 'src/sql/postgres/', 'pg|pg-cursor'),
    {
      name: 'engine',
      comment:
        'adapters ask an Engine: only sql/engine/open.ts, which chooses one, knows the folder of an engine',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sql/(sqlite/|postgres/|engine/open\\.ts$)' },
      to: { path: '^src/sql/(sqlite|postgres)/' },
    },
    {
      name: 'engines-apart',
      comment: 'the engines do not know one another',
      severity: 'error',
      from: { path: '^src/sql/(sqlite|postgres)/' },
      to: { path: '^src/sql/(sqlite|postgres)/', pathNot: '^src/sql/$1/' },
    },
    only('http-packages', 'src/http/', 'fastify|@fastify/[^/]+|fastify-plugin|typebox'),
    only('xml-package', 'src/dats/xml/', 'saxes'),
    only('zip-package', 'src/zip/', 'yauzl'),
    only('zstd-package', 'src/disk/', 'zstddec'),
    only('seven-zip-package', 'src/disk/', '7z-wasm'),
    only('address-package', 'src/remote/', 'ipaddr\\.js'),
    only('tar-package', 'src/files/', 'modern-tar'),
    only('s3-package', 'src/files/s3/', '@aws-sdk/[^/]+|@smithy/[^/]+'),
    only('password-package', 'src/passwords/', '@node-rs/argon2'),
    only('image-package', 'src/images/', 'sharp'),
    only('metrics-package', 'src/http/metrics/', 'prom-client'),
    {
      name: 'page-apart',
      comment: 'the page knows the server by its OpenAPI document only',
      severity: 'error',
      from: { path: '^page/' },
      to: { path: '^(src|test|measure|bench|trust|scale|scripts)/' },
    },
    {
      name: 'no-page',
      comment: 'nobody imports the page',
      severity: 'error',
      from: { pathNot: '^page/' },
      to: { path: '^page/' },
    },
    {
      name: 'page-packages',
      comment:
        'only the page, and what builds and tests it, knows the packages that it is made with',
      severity: 'error',
      from: { path: '^(src|measure|bench|trust|scale)/' },
      to: { path: package_('svelte|vite|@sveltejs/[^/]+') },
    },
    {
      name: 'no-dev-package',
      comment: 'what is installed by users has no devDependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'measures-apart',
      comment: 'bench, trust and scale do not know one another; what they share is in measure',
      severity: 'error',
      from: { path: '^(bench|trust|scale)/' },
      to: { path: '^(bench|trust|scale)/', pathNot: '^$1/' },
    },
    {
      name: 'measured',
      comment: 'only the tests of bench, trust and scale import them',
      severity: 'error',
      from: { path: '^(src|scripts|measure|test/support)/' },
      to: { path: '^(bench|trust|scale)/' },
    },
    {
      name: 'measure',
      comment: 'measure is for what measures and for tests: nothing else imports it',
      severity: 'error',
      from: { path: '^(src|scripts)/' },
      to: { path: '^measure/' },
    },
    {
      name: 'no-test',
      comment:
        'nothing imports test/, but for what measures several instances, which needs its servers',
      severity: 'error',
      from: { pathNot: '^(test|scale)/|^bench/rows/postgres-rows' },
      to: { path: '^test/' },
    },
    {
      name: 'no-cycle',
      comment: 'no cycles, of types neither',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'every import leads somewhere; those of the page to what its framework makes, too',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(\\$app|svelte/internal)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // compiled together with generated clients, which are not in the repository
    exclude: { path: '^test/api/clients/uses/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
