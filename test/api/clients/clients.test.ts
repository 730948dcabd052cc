import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/http/shared/routes/openapi.ts';
import { importGames } from '../../support/data/dats.ts';
import { startTestApp } from '../../support/http/app.ts';
import { startMinimalApp } from '../../support/http/minimal-app.ts';
import { openSandbox, type Sandbox } from '../../support/process.ts';
import { type ClientPackage, makeClients } from './make-clients.ts';

// Clients that are generated from the printed documents must compile in strict mode. The tests call
// a server with each function of the clients. The sources in uses/ are compiled together with the
// clients, outside the repository.

let sandbox: Sandbox;
let clients: ClientPackage;
let printed = '';
const documents: Record<string, string> = {};

beforeAll(async () => {
  sandbox = await openSandbox();
  for (const [name, args] of [
    ['account', ['openapi']],
    ['minimal', ['openapi', '--minimal']],
  ] as const) {
    const { code, stdout, stderr } = await sandbox.run(args);
    expect([code, stderr]).toEqual([0, '']);
    documents[name] = stdout;
  }
  clients = await makeClients(documents);
  printed = await clients.compile();
}, 120_000);
afterAll(async () => {
  await clients.remove();
  await sandbox.close();
});

describe('the check of generated clients', () => {
  test('compiles the clients in strict mode', () => {
    expect(printed).toBe('');
  });

  test('rejects clients of a document with required query parameters or roles of any text', {
    tags: ['full'],
  }, async () => {
    const account = (documents.account ?? '')
      .replaceAll(/("in": "query",\s+"required": )false/g, '$1true')
      .replaceAll(/,\s+"enum": \[\s+"admin",\s+"editor",\s+"user"\s+\]/g, '');
    const planted = await makeClients({ ...documents, account });
    const refusals = await planted.compile();
    await planted.remove();
    for (const kind of ['fetch', 'hey']) {
      const refused = (code: string) =>
        new RegExp(`account-${kind}\\.ts\\(\\d+,\\d+\\): error ${code}`);
      expect(refusals).toMatch(refused('TS2554|TS2345|TS2739|TS2741')); // for a missing argument
      expect(refusals).toMatch(refused("TS2578: Unused '@ts-expect-error'"));
    }
  });
});

/**
 * Calls a server with the compiled client. Compares the calls with the operations of the document.
 */
async function useClient(name: string, document: string, url: string): Promise<void> {
  const module: { use(url: string): Promise<[string, number][]> } = await import(
    /* @vite-ignore */ pathToFileURL(join(clients.folder, `${name}.js`)).href
  );
  const made = await module.use(url);
  expect(made.filter(([, status]) => status < 200 || status > 204)).toEqual([]);
  const { paths }: OpenApiDocument = JSON.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(made.map(([operation]) => operation).toSorted()).toEqual(operations.toSorted());
}

describe.each(['fetch', 'hey'])('the client of kind %s', (kind) => {
  test('calls every operation of the account API successfully', async () => {
    const app = await startTestApp();
    try {
      await importGames(app, ['One', 'Two']);
      await writeFile(join(app.data, 'games', 'nonsense.bin'), 'x');
      await app.catalog.library.list({ refresh: true });
      await useClient(`account-${kind}`, documents.account ?? '', app.url);
    } finally {
      await app.close();
    }
  });

  test('calls every operation of the minimal API successfully', async () => {
    const found = { serial: 'S-1', method: 'sha1', canonical: 'One.iso', releaseId: 1 } as const;
    const file = { name: 'a', path: '/a', size: 1, system: 'games' } as const;
    const app = await startMinimalApp({
      env: { CATALOG_API_TOKEN: 'shared' },
      listLibrary: async () => [{ ...file, ...found }],
    });
    try {
      await importGames(app, ['One', 'Two']);
      await mkdir(join(app.data, 'store', 'games'), { recursive: true });
      await writeFile(join(app.data, 'store', 'games', 'a.zip'), 'x');
      await writeFile(join(app.data, 'covers', 'b.zip'), 'x');
      await writeFile(join(app.data, 'covers', '1.png'), 'four');
      await useClient(`minimal-${kind}`, documents.minimal ?? '', app.url);
    } finally {
      await app.close();
    }
  });
});
