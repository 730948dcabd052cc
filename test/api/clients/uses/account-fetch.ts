import createClient from 'openapi-fetch';
import type { paths } from './account-types.js';
import { Calls, image, imageSize, same } from './calls.js';

/** Calls every operation of the account API as its admin, with the client of openapi-fetch. */
export async function use(baseUrl: string): Promise<Calls['made']> {
  const client = createClient<paths>({ baseUrl });
  const calls = new Calls();
  const credentials = { username: 'admin', password: 'admin-password' };
  const login = calls.data(
    'POST /api/auth/login',
    await client.POST('/api/auth/login', { body: { ...credentials, cookie: false } }),
  );
  client.use({
    onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${login.token}`),
  });
  same(login.role, 'admin');
  // @ts-expect-error: no role has this name
  same<typeof login.role>('admin', login.role === 'boss' ? 'boss' : 'admin');

  const me = calls.data('GET /api/auth/me', await client.GET('/api/auth/me'));
  same(me.is_active, 1);

  await useUsers();
  await useReleases();
  await useCovers();
  await useStore();
  await useUploads();
  await useOwnAccount();
  await useLibrary();
  await usePlatforms();
  await useSets();
  await useReports();

  calls.data('POST /api/auth/logout', await client.POST('/api/auth/logout'));
  const { error } = await client.GET('/api/auth/me');
  same(error?.detail, 'not authenticated');
  return calls.made;

  async function useUsers(): Promise<void> {
    const path = '/api/users/{user_id}';
    const made = calls.data(
      'POST /api/users',
      await client.POST('/api/users', { body: { username: 'u', password: 'p', role: 'editor' } }),
    );
    const params = { path: { user_id: made.id } };
    // @ts-expect-error: no role has this name
    const refused = await client.PATCH(path, { params, body: { role: 'boss' } });
    same(refused.error?.detail, 'invalid role');
    const changed = calls.data(
      `PATCH ${path}`,
      await client.PATCH(path, { params, body: { is_active: false, revoke_tokens: true } }),
    );
    same(changed.is_active, 0);
    const { items } = calls.data('GET /api/users', await client.GET('/api/users'));
    same(items.find(({ id }) => id === made.id)?.last_login_at, null);
    const own = { path: { user_id: login.user_id } };
    const tokens = calls.data(
      `GET ${path}/tokens`,
      await client.GET(`${path}/tokens`, { params: own }),
    );
    same(tokens.items[0]?.kind, 'api');
    calls.data(
      `DELETE ${path}/tokens/{token_id}`,
      await client.DELETE(`${path}/tokens/{token_id}`, {
        params: { path: { user_id: made.id, token_id: 999_999 } },
      }),
    );
    calls.data(`DELETE ${path}`, await client.DELETE(path, { params }));
  }

  async function useReleases(): Promise<void> {
    const path = '/api/releases/{release_id}';
    const params = { path: { release_id: 1 } };
    const all = calls.data('GET /api/releases', await client.GET('/api/releases'));
    same(all.items.length, 2);
    const query = { q: 'One', limit: 1, include: 'total,region' };
    const one = await client.GET('/api/releases', { params: { query } });
    same([one.data?.total, one.data?.items[0]?.name], [1, 'One']);
    // @ts-expect-error: a limit is a number
    const refused = await client.GET('/api/releases', { params: { query: { limit: 'x' } } });
    same(refused.error?.detail, 'limit: must be an integer');
    const whole = await client.GET(path, {
      params: { ...params, query: { include: 'sources,edits' } },
    });
    same(whole.data?.sources?.[0]?.shown, true);
    const tag = whole.response.headers.get('etag') ?? '';
    const ifMatch = { params: { ...params, header: { 'If-Match': tag } } };
    const body = { genre: 'Puzzle' };
    calls.data(`PATCH ${path}`, await client.PATCH(path, { ...ifMatch, body }));
    const late = await client.PATCH(path, { ...ifMatch, body });
    same([late.response.status, late.error?.detail], [412, 'changed meanwhile']);
    const read = await client.GET(path, { params });
    const release = calls.data(`GET ${path}`, read);
    same([release.meta.genre, release.meta.manual, release.roms.length], ['Puzzle', true, 1]);
    const header = { 'If-None-Match': read.response.headers.get('etag') ?? '' };
    const again = await client.GET(path, { params: { ...params, header } });
    same(again.response.status, 304);
    const drop = `${path}/edits/{field}` as const;
    const edit = { path: { release_id: 1, field: 'genre' } };
    calls.data(`DELETE ${drop}`, await client.DELETE(drop, { params: edit }));
    for (const more of [`${path}/library`, `${path}/archives`] as const) {
      const { items } = calls.data(`GET ${more}`, await client.GET(more, { params }));
      same(items.length, 0);
    }
    const group = calls.data(`GET ${path}/group`, await client.GET(`${path}/group`, { params }));
    same(group.editions[0]?.releases[0]?.name, 'One');
    for (const [move, ids] of [
      ['join', [2]],
      ['split', [2]],
    ] as const) {
      const to = `/api/groups/{group_id}/${move}` as const;
      const body = { release_ids: [...ids] };
      const moved = await client.POST(to, { params: { path: { group_id: group.id } }, body });
      same(calls.data(`POST ${to}`, moved).editions.length, move === 'join' ? 2 : 1);
    }
    const unknown = await client.GET(path, { params: { path: { release_id: 999_999 } } });
    same(unknown.error?.detail, 'not found');
    const newest = await client.GET('/api/releases', { params: { query: { order: 'newest' } } });
    same(newest.data?.items[0]?.name, 'Two');
    // @ts-expect-error: no order has this name
    const ordered = await client.GET('/api/releases', { params: { query: { order: 'oldest' } } });
    same(ordered.error?.detail, 'order: must be name or newest or title or relevance');
    const others = { params: { query: { system: 'videos', others: 1 } } } as const;
    const facets = calls.data('GET /api/facets', await client.GET('/api/facets', others));
    same(facets.systems, [{ system: 'games', releases: 2 }]);
    const letters = calls.data('GET /api/letters', await client.GET('/api/letters'));
    same(letters.items[0]?.initial, 'O');
  }

  async function useCovers(): Promise<void> {
    const path = '/api/cover/{release_id}';
    const params = { path: { release_id: 1 } };
    const { url } = calls.data(
      `POST ${path}`,
      await client.POST(path, { params, body: { file: image }, bodySerializer: toForm }),
    );
    same(url, '/api/cover/1');
    const cover = await client.GET(path, { params, parseAs: 'arrayBuffer' });
    same(calls.data(`GET ${path}`, cover).byteLength, imageSize);
    const etag = cover.response.headers.get('etag') ?? '';
    const header = { 'If-None-Match': etag };
    const again = await client.GET(path, { params: { ...params, header }, parseAs: 'blob' });
    same(again.response.status, 304);
    calls.data(`DELETE ${path}`, await client.DELETE(path, { params }));
  }

  async function useStore(): Promise<void> {
    const upload = { body: { file: image }, bodySerializer: toForm };
    const stored = calls.data(
      'POST /api/store/upload',
      await client.POST('/api/store/upload', {
        params: { query: { system: 'videos' } },
        ...upload,
      }),
    );
    same([stored.filename, stored.size], ['a b.zip', imageSize]);
    const query = { system: 'videos' };
    const list = calls.data(
      'GET /api/store',
      await client.GET('/api/store', { params: { query } }),
    );
    same([list.count, list.items[0]?.filename], [1, 'a b.zip']);
    const params = { path: { system: 'videos', name: 'a b.zip' } };
    const path = '/api/store/download/{system}/{name}';
    const part = await client.GET(path, {
      params: { ...params, header: { Range: 'bytes=1-2' } },
      parseAs: 'blob',
    });
    same([part.response.status, part.data?.size], [206, 2]);
    const whole = await client.GET(path, { params, parseAs: 'stream' });
    await calls.data(`GET ${path}`, whole)?.cancel();
    const item = '/api/store/{system}/{name}';
    calls.data(`DELETE ${item}`, await client.DELETE(item, { params }));
  }

  async function useUploads(): Promise<void> {
    const path = '/api/uploads/{upload_id}';
    const tus = { 'Tus-Resumable': '1.0.0' };
    calls.record('OPTIONS /api/uploads', await client.OPTIONS('/api/uploads'));
    const values = Object.entries({ filename: 'c.dat', system: 'dats' });
    const metadata = values.map(([key, value]) => `${key} ${btoa(value)}`).join(',');
    const header = { ...tus, 'Upload-Length': String(imageSize), 'Upload-Metadata': metadata };
    const begun = await client.POST('/api/uploads', { params: { header } });
    calls.record('POST /api/uploads', begun);
    const id = Number(begun.response.headers.get('location')?.split('/').at(-1));
    const plain = { path: { upload_id: id } };
    const params = { ...plain, header: tus };
    calls.record(`OPTIONS ${path}`, await client.OPTIONS(path, { params: plain }));
    const sent = await client.PATCH(path, {
      params: { ...params, header: { ...tus, 'Upload-Offset': '0' } },
      headers: { 'Content-Type': 'application/offset+octet-stream' },
      body: image,
      bodySerializer: (body: Blob) => body,
    });
    calls.record(`PATCH ${path}`, sent);
    const upload = calls.data(`GET ${path}`, await client.GET(path, { params: plain }));
    same([upload.filename, upload.chunks[0]?.size], ['c.dat', imageSize]);
    const query = { own: 1 } as const;
    const own = await client.GET('/api/uploads', { params: { query } });
    same(calls.data('GET /api/uploads', own).items.length, 1);
    calls.record(`DELETE ${path}`, await client.DELETE(path, { params }));
  }

  async function useOwnAccount(): Promise<void> {
    const path = '/api/auth/tokens';
    const body = { label: 'mine', expires_in_days: 0 };
    const made = calls.data(`POST ${path}`, await client.POST(path, { body }));
    same(made.expires_at, null);
    const query = { include: 'current' };
    const listed = await client.GET(path, { params: { query } });
    const { items } = calls.data(`GET ${path}`, listed);
    same([items[0]?.label, items[0]?.current], ['mine', false]);
    const params = { path: { id: made.id } };
    calls.data(`DELETE ${path}/{id}`, await client.DELETE(`${path}/{id}`, { params }));
    const { password } = credentials;
    calls.data(
      'POST /api/auth/password',
      await client.POST('/api/auth/password', {
        body: { current: password, new: password, revoke_others: true },
      }),
    );
  }

  async function useLibrary(): Promise<void> {
    const all = calls.data('GET /api/library', await client.GET('/api/library'));
    same(all.items[0]?.name, 'nonsense.bin');
    const path = '/api/library/{file_id}';
    const params = { path: { file_id: all.items[0]?.id ?? 0 } };
    const body = { release_id: 1 };
    calls.data(`POST ${path}/match`, await client.POST(`${path}/match`, { params, body }));
    const file = calls.data(`GET ${path}`, await client.GET(path, { params }));
    same([file.method, file.release_name], ['manual', 'One']);
    const bytes = await client.GET(`${path}/download`, { params, parseAs: 'blob' });
    same(calls.data(`GET ${path}/download`, bytes).size, 1);
    const releaseParams = { path: { release_id: 1 } };
    const zipPath = '/api/releases/{release_id}/download';
    const zip = await client.GET(zipPath, { params: releaseParams, parseAs: 'blob' });
    same(calls.data(`GET ${zipPath}`, zip).type, 'application/zip');
    const files = [{ ...params.path, release_id: null }];
    const undone = await client.POST('/api/library/match', { body: { files } });
    same(calls.data('POST /api/library/match', undone).files, [params.path.file_id]);
    await client.POST(`${path}/match`, { params, body });
    const query = { chosen: 1, others: '2' };
    const alike = await client.GET('/api/library/alike', { params: { query } });
    same(calls.data('GET /api/library/alike', alike).items, []);
    const recent = await client.GET('/api/library/recent');
    same(calls.data('GET /api/library/recent', recent).items[0]?.name, 'One');
    const roots = calls.data('GET /api/library/roots', await client.GET('/api/library/roots'));
    same(roots.items[0]?.problem, null);
    // @ts-expect-error: no state has this name
    const refused = await client.GET('/api/library', { params: { query: { state: 'lost' } } });
    same(refused.response.status, 422);
  }

  async function useReports(): Promise<void> {
    const dashboard = calls.data('GET /api/dashboard', await client.GET('/api/dashboard'));
    same(dashboard.downloads.at(-1)?.count, 1);
    const stats = calls.data('GET /api/stats', await client.GET('/api/stats'));
    same([stats.downloads, stats.recent[0]?.username], [1, 'admin']);
    const imports = calls.data('GET /api/imports', await client.GET('/api/imports'));
    const params = { path: { import_id: imports.items[0]?.id ?? 0 } };
    const path = '/api/imports/{import_id}';
    const { samples } = calls.data(`GET ${path}`, await client.GET(path, { params }));
    same(samples.new, ['One', 'Two']);
    const audit = calls.data('GET /api/audit', await client.GET('/api/audit'));
    same(audit.items.length > 0, true);
    const downloads = calls.data('GET /api/downloads', await client.GET('/api/downloads'));
    const own = calls.data('GET /api/auth/downloads', await client.GET('/api/auth/downloads'));
    same(own.items, downloads.items);
    await useJobs();
    const session = calls.data('GET /api/session', await client.GET('/api/session'));
    same([session.user?.username, session.releases], ['admin', 2]);
    const health = calls.data('GET /api/health', await client.GET('/api/health'));
    same(health.status, 'ok');
    const ready = calls.data('GET /api/health/ready', await client.GET('/api/health/ready'));
    same(ready.status, 'ok');
  }

  async function usePlatforms(): Promise<void> {
    const list = calls.data('GET /api/platforms', await client.GET('/api/platforms'));
    same([list.items[0]?.releases, list.items[0]?.have], [2, 1]);
    const params = { path: { platform_id: list.items[0]?.id ?? 0 } };
    for (const name of ['csv', 'dat'] as const) {
      const path = `/api/platforms/{platform_id}/missing.${name}` as const;
      const text = await client.GET(path, { params, parseAs: 'text' });
      same(calls.data(`GET ${path}`, text)?.includes('Two'), true);
    }
    const query = { library: 'missing' } as const;
    const missing = await client.GET('/api/releases', { params: { query } });
    same(
      missing.data?.items.map(({ name }) => name),
      ['Two'],
    );
  }

  async function useSets(): Promise<void> {
    const rule = { all: [{ field: 'library', is: 'missing' }] };
    const body = { name: 'Wanted', rule, shared: true, prefer: null };
    const saved = await client.POST('/api/sets', { body });
    const { id, count } = calls.data('POST /api/sets', saved);
    same(count, 1);
    const { items } = calls.data('GET /api/sets', await client.GET('/api/sets'));
    same([items[0]?.name, items[0]?.owner], ['Wanted', 'admin']);
    const preview = await client.POST('/api/sets/preview', { body: { rule, prefer: {} } });
    const [previewed] = calls.data('POST /api/sets/preview', preview).items;
    same(previewed?.name, 'Two');
    const path = '/api/sets/{set_id}';
    const params = { path: { set_id: id } };
    same(calls.data(`GET ${path}`, await client.GET(path, { params })).rule, rule);
    const change = await client.PATCH(path, { params, body: { name: 'Missing' } });
    same(calls.data(`PATCH ${path}`, change).name, 'Missing');
    const why = `${path}/explain/{release_id}` as const;
    const release_id = previewed?.id ?? 0;
    const ofRelease = { path: { set_id: id, release_id } };
    same(calls.data(`GET ${why}`, await client.GET(why, { params: ofRelease })).in_set, true);
    for (const name of ['csv', 'dat'] as const) {
      const missing = `${path}/missing.${name}` as const;
      const text = await client.GET(missing, { params, parseAs: 'text' });
      same(calls.data(`GET ${missing}`, text)?.includes('Two'), true);
    }
    const profiles = calls.data('GET /api/profiles', await client.GET('/api/profiles'));
    const profile = profiles.items[0]?.id ?? '';
    const device = { name: 'Handheld', set_id: id, profile };
    const made = calls.data(
      'POST /api/devices',
      await client.POST('/api/devices', { body: device }),
    );
    same(made.path.startsWith('/play/'), true);
    const devices = calls.data('GET /api/devices', await client.GET('/api/devices'));
    same(devices.items[0]?.set.name, 'Missing');
    const revoking = '/api/devices/{device_id}';
    const device_id = made.device.id;
    const revoked = await client.DELETE(revoking, { params: { path: { device_id } } });
    same(calls.data(`DELETE ${revoking}`, revoked).ok, true);
    const ofUser = '/api/users/{user_id}/devices';
    const listed = await client.GET(ofUser, { params: { path: { user_id: 1 } } });
    same(calls.data(`GET ${ofUser}`, listed).items.length, 0);
    const one = '/api/users/{user_id}/devices/{device_id}';
    const gone = await client.DELETE(one, { params: { path: { user_id: 1, device_id } } });
    same(calls.data(`DELETE ${one}`, gone).ok, true);
    const exporting = `${path}/export/{profile}` as const;
    const zip = await client.GET(exporting, {
      params: { path: { set_id: id, profile }, query: { roms_path: '/roms' } },
      parseAs: 'arrayBuffer',
    });
    same((calls.data(`GET ${exporting}`, zip) as ArrayBuffer).byteLength > 0, true);
    const leaving = `${path}/left-out/{profile}` as const;
    const without = await client.GET(leaving, {
      params: { path: { set_id: id, profile }, query: { limit: 1, offset: 0 } },
    });
    same(calls.data(`GET ${leaving}`, without).not_in_library, 1);
    const query = { set: 'Missing' };
    const found = await client.GET('/api/releases', { params: { query } });
    same(found.data?.items[0]?.name, 'Two');
    calls.data(`DELETE ${path}`, await client.DELETE(path, { params }));
  }

  async function useJobs(): Promise<void> {
    const body = { kind: 'scan', options: { hash: false } } as const;
    const { id } = calls.data('POST /api/jobs', await client.POST('/api/jobs', { body }));
    const params = { path: { job_id: id } };
    const stop = '/api/jobs/{job_id}/stop';
    same(calls.data(`POST ${stop}`, await client.POST(stop, { params })), { ok: true });
    const { items } = calls.data('GET /api/jobs', await client.GET('/api/jobs'));
    same([items[0]?.id, items[0]?.started_by], [id, 'admin']);
    const one = '/api/jobs/{job_id}';
    same(calls.data(`GET ${one}`, await client.GET(one, { params })).kind, 'scan');
    const schedules = calls.data('GET /api/schedules', await client.GET('/api/schedules'));
    const kind = '/api/schedules/{kind}';
    const change = { params: { path: { kind: 'scan' } }, body: { weekday: null, time: '04:30' } };
    const changed = calls.data(`PATCH ${kind}`, await client.PATCH(kind, change));
    same([changed.time, schedules.items.some(({ on }) => on)], ['04:30', false]);
    same(calls.data('GET /api/targets', await client.GET('/api/targets')), { items: [] });
  }
}

function toForm({ file }: { file: Blob }): FormData {
  const form = new FormData();
  form.set('file', file, 'a b.zip');
  return form;
}
