import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';

describe('the configuration', () => {
  test('does not repeat the password of a refused --files URL', () => {
    const read = () => readConfig({ files: 's3://key:hidden@bucket' }, {});
    expect(read).toThrow('--files: "s3://...@bucket" is not a URL');
  });

  test('refuses a database password as an argument, and repeats it in no message', () => {
    const databaseUrl = 'postgres://catalog:s3cr3t@db.example/catalog';
    for (const text of [
      databaseUrl,
      'postgres:///x?password=s3cr3t',
      'mysql://catalog:s3cr3t@db/x',
    ]) {
      const read = () => readConfig({ database: text }, {});
      expect(read).toThrow(/^--database: /);
      expect(read).not.toThrow(/s3cr3t/);
    }
    expect(() => readConfig({}, { CATALOG_DATABASE: 'x:s3cr3t' })).not.toThrow(/s3cr3t/);
    expect(readConfig({}, { CATALOG_DATABASE: databaseUrl }).database).toBe(databaseUrl);
  });

  test('explains how to encode a database password, and repeats no part of it', () => {
    const encoded = 'postgres://catalog:1%25s%2F%40%3F%23%3A@db.example/catalog';
    expect(readConfig({}, { CATALOG_DATABASE: encoded }).database).toBe(encoded);
    for (const password of [
      ...['s3c#r3t', 's3c?r3t', 's3c/r3t', '1:s3c@s3c/r3t', 's3c%r3t', '%zz', 's3c@r3t'],
      ...['s@s3c/r3t?x', '1/s3c?r3t', '1/s3c#r3t', 's@s3c/r3t#x'],
    ]) {
      const databaseUrl = `postgres://catalog:${password}@db.example/catalog`;
      const read = () => readConfig({}, { CATALOG_DATABASE: databaseUrl });
      expect(read).toThrow(/^CATALOG_DATABASE: .*; in a password, write "%", .* as %25, /);
      expect(read).not.toThrow(/s3c|r3t/);
    }
    for (const place of ['us%zzer@db.example/catalog', 'db.example/cat%zz', '/x?password=%zz']) {
      const read = () => readConfig({}, { CATALOG_DATABASE: `postgres://${place}` });
      expect(read).toThrow(/^CATALOG_DATABASE: .*; in a password, write "%", .* as %25, /);
    }
  });
});
