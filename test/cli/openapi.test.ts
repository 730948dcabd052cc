import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { accountDocument } from '../../src/http/account-api/app.ts';
import { minimalDocument } from '../../src/http/minimal-api/app.ts';
import { useSandbox } from '../support/process.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

describe('catalog openapi', () => {
  test.each([
    [['openapi'], accountDocument(version)],
    [['openapi', '--minimal'], minimalDocument(version)],
  ])(
    'prints the API document for the arguments %j, without a server or data folder',
    async (args, document) => {
      const sandbox = await useSandbox();
      const { code, stdout, stderr } = await sandbox.run(args, {
        env: { CATALOG_TOKEN_DAYS: 'x' },
      });
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual(document);
      expect(existsSync(sandbox.data)).toBe(false);
    },
  );
});
