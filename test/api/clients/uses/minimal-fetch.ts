import createClient from 'openapi-fetch';
import { Calls, imageSize, same } from './calls.js';
import type { paths } from './minimal-types.js';

/** Calls every operation of the minimal API with the client of openapi-fetch. */
export async function use(baseUrl: string): Promise<Calls['made']> {
  const client = createClient<paths>({ baseUrl });
  const calls = new Calls();
  const index = calls.data('GET /', await client.GET('/'));
  same(index.endpoints.length, 9);
  const summary = calls.data('GET /api/summary', await client.GET('/api/summary'));
  same(summary.systems, [{ system: 'games', releases: 2 }]);

  const list = calls.data('GET /api/releases', await client.GET('/api/releases'));
  same([list.limit, list.items[0]?.name], [50, 'One']);
  const query = { q: 'Two', limit: -1 };
  const all = await client.GET('/api/releases', { params: { query } });
  same([all.data?.limit, all.data?.items.length], [-1, 1]);
  const params = { path: { id: 1 } };
  const release = calls.data(
    'GET /api/releases/{id}',
    await client.GET('/api/releases/{id}', { params }),
  );
  same(release.roms.length, 1);
  const unknown = await client.GET('/api/releases/{id}', { params: { path: { id: 99 } } });
  same(unknown.error?.error, 'not found');

  const library = calls.data('GET /api/library', await client.GET('/api/library'));
  same(library.items[0]?.method, 'sha1');
  const cover = await client.GET('/api/cover/{id}', { params, parseAs: 'blob' });
  same(calls.data('GET /api/cover/{id}', cover).size, imageSize);

  const refused = await client.GET('/api/store');
  same(refused.error?.error, 'unauthorized');
  client.use({
    onRequest: ({ request }) => request.headers.set('authorization', 'Bearer shared'),
  });
  const store = calls.data('GET /api/store', await client.GET('/api/store'));
  same(store.items[0]?.filename, 'a.zip');
  const archive = { params: { path: { name: 'a.zip' } } };
  const download = '/api/store/download/{name}';
  const whole = await client.GET(download, { ...archive, parseAs: 'arrayBuffer' });
  same(calls.data(`GET ${download}`, whole).byteLength, 1);
  const bundle = { params: { path: { name: 'b' } } };
  const bundles = '/api/covers/{name}.zip';
  const zip = await client.GET(bundles, { ...bundle, parseAs: 'blob' });
  same(calls.data(`GET ${bundles}`, zip).size, 1);
  return calls.made;
}
