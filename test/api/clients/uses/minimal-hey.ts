import { Calls, imageSize, same } from './calls.js';
import { client } from './minimal/client.gen.js';
import * as api from './minimal/index.js';

/** Calls every operation of the minimal API with the client that @hey-api/openapi-ts generates. */
export async function use(baseUrl: string): Promise<Calls['made']> {
  client.setConfig({ baseUrl });
  const calls = new Calls();
  const index = calls.data('GET /', await api.getIndex());
  same(index.endpoints.length, 9);
  const summary = calls.data('GET /api/summary', await api.getSummary());
  same(summary.systems, [{ system: 'games', releases: 2 }]);

  const list = calls.data('GET /api/releases', await api.getReleases());
  same([list.limit, list.items[0]?.name], [50, 'One']);
  const all = await api.getReleases({ query: { q: 'Two', limit: -1 } });
  same([all.data?.limit, all.data?.items.length], [-1, 1]);
  const path = { id: 1 };
  const release = calls.data('GET /api/releases/{id}', await api.getReleasesId({ path }));
  same(release.roms.length, 1);
  const unknown = await api.getReleasesId({ path: { id: 99 } });
  same(unknown.error?.error, 'not found');

  const library = calls.data('GET /api/library', await api.getLibrary());
  same(library.items[0]?.method, 'sha1');
  const cover = calls.data('GET /api/cover/{id}', await api.getCoverId({ path }));
  same(cover.size, imageSize);

  const refused = await api.getStore();
  same(refused.error?.error, 'unauthorized');
  client.setConfig({ auth: 'shared' });
  const store = calls.data('GET /api/store', await api.getStore());
  same(store.items[0]?.filename, 'a.zip');
  const archive = { path: { name: 'a.zip' } };
  const whole = await api.getStoreDownloadName(archive);
  same(calls.data('GET /api/store/download/{name}', whole).size, 1);
  const bundle = { path: { name: 'b' } };
  const zip = await api.getCoversNameZip(bundle);
  same(calls.data('GET /api/covers/{name}.zip', zip).size, 1);
  return calls.made;
}
