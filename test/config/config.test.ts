import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { placesOfCopy, readConfig } from '../../src/config.ts';

test('of settings that are not used the default counts, whatever is said', () => {
  const env = { CATALOG_TOKEN_DAYS: 'x', CATALOG_GAMES_ROOT: ' ', CATALOG_PORT: '81' };
  const config = readConfig({ data: '/d' }, env, ['data', 'port']);
  expect(config).toMatchObject({ tokenDays: 90, gamesRoots: ['/d/games'], port: 81 });
});

test('the password of the first admin leaves the environment, also where it is not used', () => {
  const env = { CATALOG_ADMIN_PASSWORD: 'secret', CATALOG_PORT: '81' };
  expect(readConfig({}, env).adminPassword).toBe('secret');
  expect(env).toEqual({ CATALOG_PORT: '81' });
  const again = { CATALOG_ADMIN_PASSWORD: 'secret' };
  expect(readConfig({}, again, ['data']).adminPassword).toBeUndefined();
  expect(again).toEqual({});
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
