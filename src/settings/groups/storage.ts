import { resolve } from 'node:path';
import { setting } from '../setting.ts';
import {
  bucketOrNone,
  folder,
  postgresUrl,
  secret,
  webUrlOrNone,
  wholeNumber,
} from '../setting-text.ts';

/** The settings of the places where data is stored. */
export const storageSettings = {
  /** Absolute path. */
  data: setting({
    option: 'data',
    takes: '<dir>',
    variable: 'CATALOG_DATA',
    meaning: 'data folder',
    more: '[its content](running.md#the-data-folder)',
    usedBy: 'server',
    fallback: () => resolve('catalog-data'),
    shownDefault: './catalog-data',
    read: folder,
  }),
  /** URL, which may contain a password; "" if the database is a file in the data folder. */
  database: setting({
    option: 'database',
    takes: '<address>',
    variable: 'CATALOG_DATABASE',
    meaning: 'PostgreSQL database, postgres://user@host/name',
    more: '[several instances](../scaling.md); with a password only by variable or file',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'a file in the data folder',
    mayBeInFile: true,
    mayBeSecret: true,
    read: postgresUrl,
  }),
  databaseConnections: setting({
    option: 'database-connections',
    takes: '<number>',
    variable: 'CATALOG_DATABASE_CONNECTIONS',
    meaning: 'connections to PostgreSQL that a process may open, at least 3',
    more: '[planning](../scaling.md#planning)',
    usedBy: 'server',
    fallback: 17,
    read: wholeNumber(3, 1_000),
  }),
  /** URL; "" for the data folder. */
  files: setting({
    option: 'files',
    takes: '<address>',
    variable: 'CATALOG_FILES',
    meaning: 'bucket for archives and covers, s3://bucket/prefix',
    more: '[files on S3](s3.md)',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'the data folder',
    read: bucketOrNone,
  }),
  /** "" for the AWS endpoint of the region. */
  s3Endpoint: setting({
    variable: 'CATALOG_S3_ENDPOINT',
    meaning: 'URL of the S3 server',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'that of AWS',
    mayBeInFile: true,
    read: webUrlOrNone,
  }),
  s3Region: setting({
    variable: 'CATALOG_S3_REGION',
    meaning: 'region of the S3 server',
    usedBy: 'server',
    fallback: 'us-east-1',
    mayBeInFile: true,
    read: secret,
  }),
  s3AccessKey: setting({
    variable: 'CATALOG_S3_ACCESS_KEY',
    meaning: 'access key for the S3 server',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'none',
    mayBeInFile: true,
    read: secret,
  }),
  s3SecretKey: setting({
    variable: 'CATALOG_S3_SECRET_KEY',
    meaning: 'secret key for the S3 server',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'none',
    mayBeInFile: true,
    read: secret,
  }),
  /** URL of the S3 server in signed URLs; "" if clients reach the server at `s3Endpoint`. */
  s3PublicEndpoint: setting({
    variable: 'CATALOG_S3_PUBLIC_ENDPOINT',
    meaning: 'URL of the S3 server for clients, with --downloads redirect',
    more: '[downloads past the server](s3.md#downloads-straight-from-the-bucket)',
    usedBy: 'server',
    fallback: '',
    shownDefault: 'CATALOG_S3_ENDPOINT',
    mayBeInFile: true,
    read: webUrlOrNone,
  }),
};
