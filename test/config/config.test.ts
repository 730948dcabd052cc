import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Config, placesOfCopy, readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';

/** Every setting: its names, what it is without them, and texts that are right and wrong. */
interface Row {
  readonly key: keyof Config;
  readonly option?: string;
  readonly variable: string;
  readonly fallback: unknown;
  /** What an empty text gives, where it is a value of its own. */
  readonly empty?: unknown;
  /** No message repeats it. */
  readonly mayBeSecret?: true;
  readonly right: readonly (readonly [text: string, value: unknown])[];
  readonly wrong: readonly string[];
}

const notNumbers = [
  'x',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '1 2',
  '١',
  'NaN',
  'Infinity',
  '9'.repeat(400),
];

const rows: readonly Row[] = [
  {
    key: 'data',
    option: 'data',
    variable: 'CATALOG_DATA',
    fallback: resolve('catalog-data'),
    right: [
      ['somewhere', resolve('somewhere')],
      ['/srv/catalog', '/srv/catalog'],
    ],
    wrong: [' '],
  },
  {
    key: 'host',
    option: 'host',
    variable: 'CATALOG_HOST',
    fallback: '0.0.0.0',
    right: [['::1', '::1']],
    wrong: [' '],
  },
  {
    key: 'port',
    option: 'port',
    variable: 'CATALOG_PORT',
    fallback: 8000,
    right: [
      ['0', 0],
      ['65535', 65_535],
      [' 80 ', 80],
    ],
    wrong: [...notNumbers, '65536'],
  },
  {
    key: 'workers',
    option: 'workers',
    variable: 'CATALOG_WORKERS',
    fallback: 1,
    right: [
      ['1', 1],
      ['64', 64],
    ],
    wrong: [...notNumbers, '0', '65'],
  },
  {
    key: 'stopSeconds',
    option: 'stop-s',
    variable: 'CATALOG_STOP_S',
    fallback: 30,
    right: [
      ['0', 0],
      ['86400', 86_400],
    ],
    wrong: [...notNumbers, '86401'],
  },
  {
    key: 'adminPassword',
    variable: 'CATALOG_ADMIN_PASSWORD',
    fallback: undefined,
    right: [
      [' with blanks ', ' with blanks '],
      ['a,b', 'a,b'],
    ],
    wrong: [],
  },
  {
    key: 'requireSignIn',
    option: 'require-sign-in',
    variable: 'CATALOG_REQUIRE_SIGN_IN',
    fallback: false,
    right: [
      ...['on', 'true', 'YES', ' 1 '].map((text) => [text, true] as const),
      ...['off', 'False', 'no', '0'].map((text) => [text, false] as const),
    ],
    wrong: ['perhaps', '2', 'on,off'],
  },
  {
    key: 'corsOrigins',
    option: 'cors-origins',
    variable: 'CATALOG_CORS_ORIGINS',
    fallback: [],
    right: [
      ['https://a.example', ['https://a.example']],
      ['https://a.example, http://b:81,', ['https://a.example', 'http://b:81']],
    ],
    wrong: ['*', 'null', 'a.example', 'https://a.example/', 'https://a.example/x', 'ftp://a'],
  },
  {
    key: 'publicUrls',
    option: 'public-url',
    variable: 'CATALOG_PUBLIC_URLS',
    fallback: [],
    right: [
      ['https://a.example', ['https://a.example']],
      ['https://a.example, http://b:81,', ['https://a.example', 'http://b:81']],
    ],
    wrong: ['*', 'a.example', 'https://a.example/', 'https://a.example/x', 'ftp://a'],
  },
  {
    key: 'basePath',
    option: 'base-path',
    variable: 'CATALOG_BASE_PATH',
    fallback: '',
    right: [
      ['/catalog', '/catalog'],
      ['/our/catalog-2', '/our/catalog-2'],
    ],
    wrong: ['catalog', '/', '/catalog/', '//catalog', '/a/../b', '/a b', '/a?b', 'http://a/b'],
  },
  {
    key: 'accessLog',
    option: 'access-log',
    variable: 'CATALOG_ACCESS_LOG',
    fallback: true,
    right: [
      ['off', false],
      ['on', true],
    ],
    wrong: ['maybe', '2'],
  },
  {
    key: 'metrics',
    option: 'metrics',
    variable: 'CATALOG_METRICS',
    fallback: undefined,
    right: [
      ['127.0.0.1:9100', { host: '127.0.0.1', port: 9100 }],
      ['[::1]:9100', { host: '::1', port: 9100 }],
      ['metrics.lan:0', { host: 'metrics.lan', port: 0 }],
    ],
    wrong: ['9100', ':9100', '127.0.0.1', '127.0.0.1:65536', '::1:9100', 'http://a:1', 'a:b'],
  },
  {
    key: 'trustedProxies',
    option: 'trusted-proxy',
    variable: 'CATALOG_TRUSTED_PROXIES',
    fallback: [],
    right: [
      ['10.0.0.1', ['10.0.0.1']],
      ['10.0.0.0/8,fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ],
    wrong: ['proxy', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '*'],
  },
  {
    key: 'tokenDays',
    option: 'token-days',
    variable: 'CATALOG_TOKEN_DAYS',
    fallback: 90,
    right: [
      ['0', 0],
      ['36500', 36_500],
    ],
    wrong: [...notNumbers, '36501'],
  },
  {
    key: 'loginFailures',
    option: 'login-failures',
    variable: 'CATALOG_LOGIN_FAILURES',
    fallback: 10,
    right: [['1', 1]],
    wrong: [...notNumbers, '0', '1000001'],
  },
  {
    key: 'loginWindowMinutes',
    option: 'login-window-min',
    variable: 'CATALOG_LOGIN_WINDOW_MIN',
    fallback: 15,
    right: [['1440', 1440]],
    wrong: [...notNumbers, '0', '1441'],
  },
  {
    key: 'maxArchiveBytes',
    option: 'max-archive-bytes',
    variable: 'CATALOG_MAX_ARCHIVE_BYTES',
    fallback: undefined,
    right: [['20000000000', 20_000_000_000]],
    wrong: [...notNumbers, '0', '9007199254740992'],
  },
  {
    key: 'uploadDays',
    option: 'upload-days',
    variable: 'CATALOG_UPLOAD_DAYS',
    fallback: 7,
    right: [
      ['1', 1],
      ['365', 365],
    ],
    wrong: [...notNumbers, '0', '366'],
  },
  {
    key: 'logLevel',
    option: 'log-level',
    variable: 'CATALOG_LOG_LEVEL',
    fallback: 'info',
    right: ['debug', 'info', 'warn', 'error', 'silent'].map((level) => [level, level] as const),
    wrong: ['INFO', 'verbose', 'info,warn'],
  },
  {
    key: 'gamesRoots',
    option: 'games-root',
    variable: 'CATALOG_GAMES_ROOT',
    fallback: [resolve('catalog-data/games')],
    right: [
      ['/roms', ['/roms']],
      ['a,b', [resolve('a,b')]],
    ],
    wrong: [' '],
  },
  {
    key: 'videosRoots',
    option: 'videos-root',
    variable: 'CATALOG_VIDEOS_ROOT',
    fallback: [resolve('catalog-data/videos')],
    right: [['films/', [resolve('films')]]],
    wrong: [' '],
  },
  {
    key: 'backupTo',
    option: 'backup-to',
    variable: 'CATALOG_BACKUP_TO',
    fallback: '',
    right: [['/backups', '/backups']],
    wrong: [' '],
  },
  {
    key: 'backupEvery',
    option: 'backup-every',
    variable: 'CATALOG_BACKUP_EVERY',
    fallback: 86_400_000,
    right: [
      ['90m', 5_400_000],
      ['12h', 43_200_000],
      [' 2w ', 1_209_600_000],
    ],
    wrong: ['daily', '0d', '1', '-1d', '1.5h'],
  },
  {
    key: 'backupKeep',
    option: 'backup-keep',
    variable: 'CATALOG_BACKUP_KEEP',
    fallback: 7,
    right: [['1', 1]],
    wrong: ['0', 'all'],
  },
  {
    key: 'database',
    option: 'database',
    variable: 'CATALOG_DATABASE',
    fallback: '',
    mayBeSecret: true,
    right: [
      ['postgres://catalog@db.example/catalog', 'postgres://catalog@db.example/catalog'],
      [' postgresql:///x?host=/run/postgresql ', 'postgresql:///x?host=/run/postgresql'],
    ],
    wrong: [
      ...[' ', 'catalog.db', 'mysql://a/b', 'postgres://host', 'postgres://host/', 'postgres:'],
      ...['pa#ss', 'pa?ss', 'pa/ss', 'pa@ss/', '100%'].map((each) => `postgres://x:${each}@host/x`),
    ],
  },
  {
    key: 'copyTo',
    option: 'to',
    variable: 'CATALOG_COPY_TO',
    fallback: '',
    mayBeSecret: true,
    right: [
      ['postgres://catalog@db.example/catalog', 'postgres://catalog@db.example/catalog'],
      ['some/where', 'some/where'],
    ],
    wrong: [' ', 'mysql://a/b', 'postgres://host', 's3://bucket'],
  },
  {
    key: 'copyFilesTo',
    option: 'files-to',
    variable: 'CATALOG_COPY_FILES_TO',
    fallback: '',
    right: [
      ['s3://bucket/prefix', 's3://bucket/prefix'],
      ['some/where', 'some/where'],
    ],
    wrong: [' ', 'https://example.org', 's3://Bucket', 's3://'],
  },
  {
    key: 'files',
    option: 'files',
    variable: 'CATALOG_FILES',
    fallback: '',
    empty: '',
    right: [
      ['s3://bucket', 's3://bucket'],
      [' s3://my.bucket-2/some/where/ ', 's3://my.bucket-2/some/where'],
    ],
    wrong: [
      '/srv/files',
      'https://example.org',
      's3://',
      's3://B',
      's3://Bucket',
      's3://bucket//x',
      's3://bucket/../x',
      's3://bucket/x?y',
      's3://key:secret@bucket',
    ],
  },
  {
    key: 's3Endpoint',
    variable: 'CATALOG_S3_ENDPOINT',
    fallback: '',
    right: [['http://nas:9000/', 'http://nas:9000']],
    wrong: ['nas:9000', 'https://key:secret@example.org'],
  },
  {
    key: 's3Region',
    variable: 'CATALOG_S3_REGION',
    fallback: 'us-east-1',
    right: [['eu-central-1', 'eu-central-1']],
    wrong: [],
  },
  {
    key: 's3AccessKey',
    variable: 'CATALOG_S3_ACCESS_KEY',
    fallback: '',
    right: [['key\n', 'key']],
    wrong: [],
  },
  {
    key: 's3SecretKey',
    variable: 'CATALOG_S3_SECRET_KEY',
    fallback: '',
    right: [[' a secret\n', 'a secret']],
    wrong: [],
  },
  {
    key: 'apiToken',
    variable: 'CATALOG_API_TOKEN',
    fallback: '',
    right: [
      [' a secret\n', 'a secret'],
      ['a,b', 'a,b'],
      [' \t', ''],
    ],
    wrong: [],
  },
  {
    key: 'coverSource',
    option: 'cover-source',
    variable: 'CATALOG_COVER_SOURCE',
    fallback: 'https://thumbnails.libretro.com',
    empty: '',
    right: [
      ['http://nas:8080/covers/', 'http://nas:8080/covers'],
      [' https://example.org ', 'https://example.org'],
      [' ', ''],
    ],
    wrong: [
      'example.org',
      'ftp://example.org',
      'file:///covers',
      'https://user:word@example.org',
      'https://example.org/?x',
      'https://example.org/#x',
    ],
  },
];

test('docs/operating.md names every setting with its option', () => {
  const table = readFileSync('docs/operating.md', 'utf8');
  for (const { option, variable, fallback } of Object.values(settings)) {
    const start = option === undefined ? '| ' : `| \`--${option}\` `;
    const row = table.split('\n').find((line) => line.startsWith(`${start}| \`${variable}\` |`));
    expect(row, variable).toBeDefined();
    if (typeof fallback === 'number') expect(row).toContain(`| \`${fallback}\` |`);
  }
});

test('of settings that are not used the default counts, whatever is said', () => {
  const env = { CATALOG_TOKEN_DAYS: 'x', CATALOG_GAMES_ROOT: ' ', CATALOG_PORT: '81' };
  const config = readConfig({ data: '/d' }, env, ['data', 'port']);
  expect(config).toMatchObject({ tokenDays: 90, gamesRoots: ['/d/games'], port: 81 });
});

test('a value may lie in a file, which a variable names; the value itself wins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'key');
  writeFileSync(file, 'from a file\n');
  const env = { CATALOG_S3_SECRET_KEY_FILE: file };
  expect(readConfig({}, env).s3SecretKey).toBe('from a file');
  expect(readConfig({}, { ...env, CATALOG_S3_SECRET_KEY: '' }).s3SecretKey).toBe('from a file');
  expect(readConfig({}, { ...env, CATALOG_S3_SECRET_KEY: 'x' }).s3SecretKey).toBe('x');
  expect(readConfig({}, { CATALOG_S3_SECRET_KEY_FILE: '' }).s3SecretKey).toBe('');
  expect(readConfig({}, { CATALOG_PORT_FILE: file }).port).toBe(8000);
  const none = { CATALOG_S3_REGION_FILE: join(folder, 'none') };
  expect(() => readConfig({}, none)).toThrow(
    /^CATALOG_S3_REGION_FILE: cannot read ".+": no such file/,
  );
});

test('of an address that is refused no password is repeated', () => {
  const read = () => readConfig({ files: 's3://key:hidden@bucket' }, {});
  expect(read).toThrow('--files: "s3://...@bucket" is not an address');
});

test('a password in the address of a database is no argument, and no message repeats it', () => {
  const address = 'postgres://catalog:s3cr3t@db.example/catalog';
  for (const text of [address, 'postgres:///x?password=s3cr3t', 'mysql://catalog:s3cr3t@db/x']) {
    const read = () => readConfig({ database: text }, {});
    expect(read).toThrow(/^--database: /);
    expect(read).not.toThrow(/s3cr3t/);
  }
  expect(() => readConfig({}, { CATALOG_DATABASE: 'x:s3cr3t' })).not.toThrow(/s3cr3t/);
  expect(readConfig({}, { CATALOG_DATABASE: address }).database).toBe(address);
});

test('of a password that is not encoded it says how that is done, and repeats no part of it', () => {
  const encoded = 'postgres://catalog:1%25s%2F%40%3F%23%3A@db.example/catalog';
  expect(readConfig({}, { CATALOG_DATABASE: encoded }).database).toBe(encoded);
  for (const password of [
    ...['s3c#r3t', 's3c?r3t', 's3c/r3t', '1:s3c@s3c/r3t', 's3c%r3t', '%zz', 's3c@r3t'],
    ...['s@s3c/r3t?x', '1/s3c?r3t', '1/s3c#r3t', 's@s3c/r3t#x'],
  ]) {
    const address = `postgres://catalog:${password}@db.example/catalog`;
    const read = () => readConfig({}, { CATALOG_DATABASE: address });
    expect(read).toThrow(/^CATALOG_DATABASE: .*; in a password "%", .* are written %25, /);
    expect(read).not.toThrow(/s3c|r3t/);
  }
  for (const place of ['us%zzer@db.example/catalog', 'db.example/cat%zz', '/x?password=%zz']) {
    const read = () => readConfig({}, { CATALOG_DATABASE: `postgres://${place}` });
    expect(read).toThrow(/^CATALOG_DATABASE: .*; in a password "%", .* are written %25, /);
  }
});

test('a copy to where its source lies names the setting that says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'database');
  writeFileSync(file, 'postgres://catalog:s3cr3t@db.example/catalog\n');
  const places = (env: Record<string, string>) => () => placesOfCopy(readConfig({}, env));
  const database = { CATALOG_DATABASE_FILE: file, CATALOG_COPY_TO_FILE: file };
  expect(places(database)).toThrow(
    /^--to: this is what is copied, by --database or CATALOG_DATABASE, or CATALOG_DATABASE_FILE$/,
  );
  const copyTo = { CATALOG_COPY_TO: 'postgres://db.example/other' };
  const bucket = { CATALOG_FILES: 's3://bucket/b', CATALOG_COPY_FILES_TO: 's3://bucket/b' };
  expect(places({ ...copyTo, ...bucket })).toThrow(
    /^--files-to: the files lie there already, by --files or CATALOG_FILES$/,
  );
  expect(places({ ...copyTo, CATALOG_DATA: '/d', CATALOG_COPY_FILES_TO: '/d' })).toThrow(
    /^--files-to: the files lie there already, by --data or CATALOG_DATA$/,
  );
});

test('the table has every setting', () => {
  expect(rows.map((row) => row.key).sort()).toEqual(Object.keys(readConfig({}, {})).sort());
});

describe.each(rows)('$key', (row) => {
  const { key, option, variable, fallback, empty, mayBeSecret, right, wrong } = row;
  const quoted = mayBeSecret ? '' : '"';

  test('has its default when nothing is said, and when the variable is empty', () => {
    expect(readConfig({}, {})[key]).toEqual(fallback);
    expect(readConfig({}, { [variable]: '' })[key]).toEqual(empty ?? fallback);
  });

  test.each(right)('by variable: %j', (text, value) => {
    expect(readConfig({}, { [variable]: text })[key]).toEqual(value);
  });

  test.each(wrong)('by variable, wrong: %j', (text) => {
    const read = () => readConfig({}, { [variable]: text });
    expect(read).toThrow(new RegExp(`^${variable}: ${quoted}`));
    expect(read).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  if (option === undefined) return;

  test.each(right)('by option, which comes before the variable: %j', (text, value) => {
    expect(readConfig({ [option]: text }, {})[key]).toEqual(value);
    expect(readConfig({ [option]: text }, { [variable]: 'nonsense ' })[key]).toEqual(value);
  });

  test.each([...wrong, ''])('by option, wrong: %j', (text) => {
    // An empty list is a list.
    if (text === '' && (Array.isArray(fallback) || empty !== undefined)) return;
    const read = () => readConfig({ [option]: text }, { [variable]: right[0]?.[0] });
    expect(read).toThrow(new RegExp(`^--${option}: ${quoted}`));
  });
});

test('a repeated option is a list', () => {
  const { trustedProxies } = readConfig({ 'trusted-proxy': ['10.0.0.1', '10.0.0.2/31'] }, {});
  expect(trustedProxies).toEqual(['10.0.0.1', '10.0.0.2/31']);
});

test('one root by option leaves no default of the other kind', () => {
  const env = { CATALOG_GAMES_ROOT: '/games', CATALOG_VIDEOS_ROOT: '/videos' };
  const some = readConfig({ 'games-root': ['/a,b', '/c'] }, env);
  expect([some.gamesRoots, some.videosRoots]).toEqual([['/a,b', '/c'], []]);
  const other = readConfig({ 'videos-root': '/d' }, env);
  expect([other.gamesRoots, other.videosRoots]).toEqual([[], ['/d']]);
});

test('a root by variable is the default of its kind, the other lies below the data folder', () => {
  const { gamesRoots, videosRoots } = readConfig({ data: '/d' }, { CATALOG_GAMES_ROOT: '/g' });
  expect([gamesRoots, videosRoots]).toEqual([['/g'], ['/d/videos']]);
});

test('the configuration cannot be changed', () => {
  expect(Object.isFrozen(readConfig({}, {}))).toBe(true);
});
