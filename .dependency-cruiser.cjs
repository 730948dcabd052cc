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
  comment: `only ${folder} may import these packages`,
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
      comment: 'node-version.ts imports nothing, because it must run first and on any Node',
      severity: 'error',
      from: { path: '^src/program/node-version\\.ts$' },
      to: {},
    },
    {
      name: 'compiled-code',
      comment: 'compiled-code.ts imports only Node built-ins: they load before the compile cache',
      severity: 'error',
      from: { path: '^src/program/compiled-code\\.ts$' },
      to: { dependencyTypesNot: ['core'] },
    },
    ring(
      'cli',
      '^src/cli/',
      '^src/((cli|jobs|demo|http|core|memory|wire|settings)/|program/log\\.ts$)',
      'cli -> jobs, wire, settings, log, http, demo, memory, core',
    ),
    ring(
      'jobs',
      '^src/jobs/',
      '^src/((core|memory|jobs)/|wire/catalog\\.ts$)',
      'jobs -> wire/catalog.ts, core, memory',
    ),
    ring(
      'wire',
      '^src/wire/',
      '^src/((core|sql|files|images|disk|dats|zip|remote|passwords|processes)/|wire/(?!open-catalog\\.ts$)|settings/config\\.ts$)',
      'wire -> core, the adapters, config; not http or cli; the rest of wire does not import open-catalog.ts',
    ),
    ring(
      'demo',
      '^src/demo/',
      '^src/((core|images|zip|demo)/|wire/catalog\\.ts$)',
      'demo -> wire/catalog.ts, core, images, zip',
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
      'an adapter -> core, memory; not other adapters or the layers above',
    ),
    ring(
      'zip-user',
      '^src/(disk|dats)/',
      '^src/(core|memory|zip|$1)/',
      'disk, dats -> core, memory, zip: adapters that read zips may import the folder zip',
    ),
    ring('memory', '^src/memory/', '^src/memory/', 'memory imports nothing else from src'),
    ring('core', '^src/core/', '^src/core/', 'core imports nothing else from src'),
    ring(
      'core-feature',
      '^src/core/([^/]+)/',
      '^src/((?!core/)|core/($1|shared)/)',
      'core/<feature> -> core/shared and itself; declare a small port for anything else',
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
      comment: 'core does no I/O: its only Node built-ins are node:crypto and node:async_hooks',
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
      comment:
        'core uses no types of Node built-ins except streams, node:crypto and node:async_hooks',
      severity: 'error',
      from: { path: '^src/core/' },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(crypto|async_hooks|stream|stream/web)$',
      },
    },
    {
      name: 'api-apart',
      comment: 'the two APIs do not import each other',
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
        'adapters use the interface Engine; only sql/engine/open.ts, which chooses an engine, imports one',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sql/(sqlite/|postgres/|engine/open\\.ts$)' },
      to: { path: '^src/sql/(sqlite|postgres)/' },
    },
    {
      name: 'engines-apart',
      comment: 'the engines do not import each other',
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
      comment: 'the page knows the server only through its OpenAPI document',
      severity: 'error',
      from: { path: '^page/' },
      to: { path: '^(src|test|measure|bench|trust|scale|scripts)/' },
    },
    {
      name: 'no-page',
      comment: 'only the page imports the page',
      severity: 'error',
      from: { pathNot: '^page/' },
      to: { path: '^page/' },
    },
    {
      name: 'page-packages',
      comment: 'only the page, its build and its tests import the packages of the page',
      severity: 'error',
      from: { path: '^(src|measure|bench|trust|scale)/' },
      to: { path: package_('svelte|vite|@sveltejs/[^/]+') },
    },
    {
      name: 'no-dev-package',
      comment: 'src must not import devDependencies, because users do not install them',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'measures-apart',
      comment: 'bench, trust and scale do not import each other; shared code is in measure',
      severity: 'error',
      from: { path: '^(bench|trust|scale)/' },
      to: { path: '^(bench|trust|scale)/', pathNot: '^$1/' },
    },
    {
      name: 'measured',
      comment: 'only their own tests import bench, trust and scale',
      severity: 'error',
      from: { path: '^(src|scripts|measure|test/support)/' },
      to: { path: '^(bench|trust|scale)/' },
    },
    {
      name: 'measure',
      comment: 'only bench, trust, scale and tests import measure',
      severity: 'error',
      from: { path: '^(src|scripts)/' },
      to: { path: '^measure/' },
    },
    {
      name: 'no-test',
      comment:
        'only tests import test/, except measurements of several instances, which need its servers',
      severity: 'error',
      from: { pathNot: '^(test|scale)/|^bench/rows/postgres-rows' },
      to: { path: '^test/' },
    },
    {
      name: 'no-cycle',
      comment: 'no cycles, not even of type imports',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'every import must resolve, except modules that the framework of the page generates',
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
