import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyTargets, readConfig } from '../../src/settings/config.ts';

describe('the configuration', () => {
  test('uses the default of settings that a command does not use, even if they are invalid', () => {
    const env = { CATALOG_TOKEN_DAYS: 'x', CATALOG_GAMES_ROOT: ' ', CATALOG_PORT: '81' };
    const config = readConfig({ data: '/d' }, env, ['data', 'port']);
    expect(config).toMatchObject({ tokenDays: 90, gamesRoots: ['/d/games'], port: 81 });
  });

  test("removes the first admin's password from the environment, even if it is not used", () => {
    const env = { CATALOG_ADMIN_PASSWORD: 'secret', CATALOG_PORT: '81' };
    expect(readConfig({}, env).adminPassword).toBe('secret');
    expect(env).toEqual({ CATALOG_PORT: '81' });
    const again = { CATALOG_ADMIN_PASSWORD: 'secret' };
    expect(readConfig({}, again, ['data']).adminPassword).toBeUndefined();
    expect(again).toEqual({});
  });

  test('reads a value from the file that a variable names, unless the value itself is set', () => {
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

  test('refuses a copy to its own source, and names the setting of the source', () => {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'database');
    writeFileSync(file, 'postgres://catalog:s3cr3t@db.example/catalog\n');
    const places = (env: Record<string, string>) => () => copyTargets(readConfig({}, env));
    const database = { CATALOG_DATABASE_FILE: file, CATALOG_COPY_TO_FILE: file };
    expect(places(database)).toThrow(
      /^--to: this is the catalogue to copy \(set by --database, or by CATALOG_DATABASE or CATALOG_DATABASE_FILE\)$/,
    );
    const copyTo = { CATALOG_COPY_TO: 'postgres://db.example/other' };
    const bucket = { CATALOG_FILES: 's3://bucket/b', CATALOG_COPY_FILES_TO: 's3://bucket/b' };
    expect(places({ ...copyTo, ...bucket })).toThrow(
      /^--files-to: the files are there already \(set by --files, or by CATALOG_FILES\)$/,
    );
    expect(places({ ...copyTo, CATALOG_DATA: '/d', CATALOG_COPY_FILES_TO: '/d' })).toThrow(
      /^--files-to: the files are there already \(set by --data, or by CATALOG_DATA\)$/,
    );
  });

  test('reads a repeated option as a list', () => {
    const { trustedProxies } = readConfig({ 'trusted-proxy': ['10.0.0.1', '10.0.0.2/31'] }, {});
    expect(trustedProxies).toEqual(['10.0.0.1', '10.0.0.2/31']);
  });

  test('has no root of the other kind if the roots of one kind are given by option', () => {
    const env = { CATALOG_GAMES_ROOT: '/games', CATALOG_VIDEOS_ROOT: '/videos' };
    const some = readConfig({ 'games-root': ['/a,b', '/c'] }, env);
    expect([some.gamesRoots, some.videosRoots]).toEqual([['/a,b', '/c'], []]);
    const other = readConfig({ 'videos-root': '/d' }, env);
    expect([other.gamesRoots, other.videosRoots]).toEqual([[], ['/d']]);
  });

  test('has the default root of a kind if only the other kind is given by variable', () => {
    const { gamesRoots, videosRoots } = readConfig({ data: '/d' }, { CATALOG_GAMES_ROOT: '/g' });
    expect([gamesRoots, videosRoots]).toEqual([['/g'], ['/d/videos']]);
  });

  test('is frozen', () => {
    expect(Object.isFrozen(readConfig({}, {}))).toBe(true);
  });
});
