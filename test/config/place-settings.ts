import { resolve } from 'node:path';
import type { SettingRow } from './setting-row.ts';

/**
 * Settings for storage: the database, the files, their copies and backups, and the cover source.
 */
export const placeSettings: readonly SettingRow[] = [
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
