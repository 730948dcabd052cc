import { client } from './account/client.gen.js';
import * as api from './account/index.js';
import { Calls, image, imageSize, same } from './calls.js';

/**
 * Calls every operation of the account API as its admin, with the client that @hey-api/openapi-ts
 * generates.
 */
export async function use(baseUrl: string): Promise<Calls['made']> {
  client.setConfig({ baseUrl });
  const calls = new Calls();
  const credentials = { username: 'admin', password: 'admin-password' };
  const login = calls.data(
    'POST /api/auth/login',
    await api.postAuthLogin({ body: { ...credentials, cookie: false } }),
  );
  client.setConfig({
    auth: ({ scheme }) => (scheme === 'bearer' ? login.token : undefined),
  });
  same(login.role, 'admin');

  const me = calls.data('GET /api/auth/me', await api.getAuthMe());
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

  calls.data('POST /api/auth/logout', await api.postAuthLogout());
  const { error } = await api.getAuthMe();
  same(error?.detail, 'not authenticated');
  return calls.made;

  async function useUsers(): Promise<void> {
    const made = calls.data(
      'POST /api/users',
      await api.postUsers({ body: { username: 'u', password: 'p', role: 'editor' } }),
    );
    const path = { user_id: made.id };
    // @ts-expect-error: no role has this name
    const refused = await api.patchUsersUserId({ path, body: { role: 'boss' } });
    same(refused.error?.detail, 'invalid role');
    const changed = calls.data(
      'PATCH /api/users/{user_id}',
      await api.patchUsersUserId({ path, body: { is_active: false, revoke_tokens: true } }),
    );
    same(changed.is_active, 0);
    const { items } = calls.data('GET /api/users', await api.getUsers());
    same(items.find(({ id }) => id === made.id)?.last_login_at, null);
    const own = { user_id: login.user_id };
    const tokens = await api.getUsersUserIdTokens({ path: own });
    same(calls.data('GET /api/users/{user_id}/tokens', tokens).items[0]?.kind, 'api');
    calls.data(
      'DELETE /api/users/{user_id}/tokens/{token_id}',
      await api.deleteUsersUserIdTokensTokenId({ path: { ...path, token_id: 999_999 } }),
    );
    calls.data('DELETE /api/users/{user_id}', await api.deleteUsersUserId({ path }));
  }

  async function useReleases(): Promise<void> {
    const path = { release_id: 1 };
    const all = calls.data('GET /api/releases', await api.getReleases());
    same(all.items.length, 2);
    const one = await api.getReleases({ query: { q: 'One', limit: 1, include: 'total,region' } });
    same([one.data?.total, one.data?.items[0]?.name], [1, 'One']);
    // @ts-expect-error: a limit is a number
    const refused = await api.getReleases({ query: { limit: 'x' } });
    same(refused.error?.detail, 'limit: must be an integer');
    const query = { include: 'sources,edits' };
    const whole = await api.getReleasesReleaseId({ path, query });
    same(whole.data?.sources?.[0]?.shown, true);
    const tag = whole.response?.headers.get('etag') ?? '';
    const change = { path, headers: { 'If-Match': tag }, body: { genre: 'Puzzle' } };
    calls.data('PATCH /api/releases/{release_id}', await api.patchReleasesReleaseId(change));
    const late = await api.patchReleasesReleaseId(change);
    same([late.response?.status, late.error?.detail], [412, 'changed meanwhile']);
    const read = await api.getReleasesReleaseId({ path });
    const release = calls.data('GET /api/releases/{release_id}', read);
    same([release.meta.genre, release.meta.manual, release.roms.length], ['Puzzle', true, 1]);
    const headers = { 'If-None-Match': read.response?.headers.get('etag') ?? '' };
    same((await api.getReleasesReleaseId({ path, headers })).response?.status, 304);
    const edit = { release_id: 1, field: 'genre' };
    calls.data(
      'DELETE /api/releases/{release_id}/edits/{field}',
      await api.deleteReleasesReleaseIdEditsField({ path: edit }),
    );
    const files = await api.getReleasesReleaseIdLibrary({ path });
    same(calls.data('GET /api/releases/{release_id}/library', files).items.length, 0);
    const archives = await api.getReleasesReleaseIdArchives({ path });
    same(calls.data('GET /api/releases/{release_id}/archives', archives).items.length, 0);
    const group = calls.data(
      'GET /api/releases/{release_id}/group',
      await api.getReleasesReleaseIdGroup({ path }),
    );
    same(group.editions[0]?.releases[0]?.name, 'One');
    const move = { path: { group_id: group.id }, body: { release_ids: [2] } };
    const joined = await api.postGroupsGroupIdJoin(move);
    same(calls.data('POST /api/groups/{group_id}/join', joined).editions.length, 2);
    const split = await api.postGroupsGroupIdSplit(move);
    same(calls.data('POST /api/groups/{group_id}/split', split).editions.length, 1);
    const unknown = await api.getReleasesReleaseId({ path: { release_id: 999_999 } });
    same(unknown.error?.detail, 'not found');
    const newest = await api.getReleases({ query: { order: 'newest' } });
    same(newest.data?.items[0]?.name, 'Two');
    // @ts-expect-error: no order has this name
    const ordered = await api.getReleases({ query: { order: 'oldest' } });
    same(ordered.error?.detail, 'order: must be name or newest or title or relevance');
    const others = await api.getFacets({ query: { system: 'videos', others: 1 } });
    const facets = calls.data('GET /api/facets', others);
    same(facets.systems, [{ system: 'games', releases: 2 }]);
    const letters = calls.data('GET /api/letters', await api.getLetters());
    same(letters.items[0]?.initial, 'O');
  }

  async function useCovers(): Promise<void> {
    const path = { release_id: 1 };
    const { url } = calls.data(
      'POST /api/cover/{release_id}',
      await api.postCoverReleaseId({ path, body: { file: image } }),
    );
    same(url, '/api/cover/1');
    const cover = await api.getCoverReleaseId({ path });
    same(calls.data('GET /api/cover/{release_id}', cover).size, imageSize);
    const etag = cover.response?.headers.get('etag') ?? '';
    const again = await api.getCoverReleaseId({ path, headers: { 'If-None-Match': etag } });
    same(again.response?.status, 304);
    calls.data('DELETE /api/cover/{release_id}', await api.deleteCoverReleaseId({ path }));
  }

  async function useStore(): Promise<void> {
    const query = { system: 'videos' };
    const file = new File([image], 'a b.zip');
    const stored = calls.data(
      'POST /api/store/upload',
      await api.postStoreUpload({ query, body: { file } }),
    );
    same([stored.filename, stored.size], ['a b.zip', imageSize]);
    const list = calls.data('GET /api/store', await api.getStore({ query }));
    same([list.count, list.items[0]?.filename], [1, 'a b.zip']);
    const path = { system: 'videos', name: 'a b.zip' };
    const headers = { Range: 'bytes=1-2' };
    const part = await api.getStoreDownloadSystemName({ path, headers });
    same([part.response?.status, part.data?.size], [206, 2]);
    const whole = await api.getStoreDownloadSystemName({ path });
    same(calls.data('GET /api/store/download/{system}/{name}', whole).size, imageSize);
    calls.data('DELETE /api/store/{system}/{name}', await api.deleteStoreSystemName({ path }));
  }

  async function useUploads(): Promise<void> {
    const one = '/api/uploads/{upload_id}';
    const tus = { 'Tus-Resumable': '1.0.0' };
    calls.record('OPTIONS /api/uploads', await api.optionsUploads());
    const values = Object.entries({ filename: 'c.dat', system: 'dats' });
    const metadata = values.map(([key, value]) => `${key} ${btoa(value)}`).join(',');
    const begun = await api.postUploads({
      headers: { ...tus, 'Upload-Length': String(imageSize), 'Upload-Metadata': metadata },
    });
    calls.record('POST /api/uploads', begun);
    const id = Number(begun.response?.headers.get('location')?.split('/').at(-1));
    const path = { upload_id: id };
    calls.record(`OPTIONS ${one}`, await api.optionsUploadsUploadId({ path }));
    const headers = { ...tus, 'Upload-Offset': '0' };
    const sent = await api.patchUploadsUploadId({ path, headers, body: image });
    calls.record(`PATCH ${one}`, sent);
    const upload = calls.data(`GET ${one}`, await api.getUploadsUploadId({ path }));
    same([upload.filename, upload.chunks[0]?.size], ['c.dat', imageSize]);
    const own = await api.getUploads({ query: { own: 1 } });
    same(calls.data('GET /api/uploads', own).items.length, 1);
    calls.record(`DELETE ${one}`, await api.deleteUploadsUploadId({ path, headers: tus }));
  }

  async function useOwnAccount(): Promise<void> {
    const body = { label: 'mine', expires_in_days: 0 };
    const made = calls.data('POST /api/auth/tokens', await api.postAuthTokens({ body }));
    same(made.expires_at, null);
    const listed = await api.getAuthTokens({ query: { include: 'current' } });
    const { items } = calls.data('GET /api/auth/tokens', listed);
    same([items[0]?.label, items[0]?.current], ['mine', false]);
    const revoked = await api.deleteAuthTokensId({ path: { id: made.id } });
    calls.data('DELETE /api/auth/tokens/{id}', revoked);
    const { password } = credentials;
    calls.data(
      'POST /api/auth/password',
      await api.postAuthPassword({
        body: { current: password, new: password, revoke_others: true },
      }),
    );
  }

  async function useLibrary(): Promise<void> {
    const all = calls.data('GET /api/library', await api.getLibrary());
    same(all.items[0]?.name, 'nonsense.bin');
    const path = { file_id: all.items[0]?.id ?? 0 };
    const matched = await api.postLibraryFileIdMatch({ path, body: { release_id: 1 } });
    calls.data('POST /api/library/{file_id}/match', matched);
    const file = calls.data('GET /api/library/{file_id}', await api.getLibraryFileId({ path }));
    same([file.method, file.release_name], ['manual', 'One']);
    const bytes = await api.getLibraryFileIdDownload({ path });
    same(calls.data('GET /api/library/{file_id}/download', bytes).size, 1);
    const zip = await api.getReleasesReleaseIdDownload({ path: { release_id: 1 } });
    same(calls.data('GET /api/releases/{release_id}/download', zip).type, 'application/zip');
    const files = [{ ...path, release_id: null }];
    const undone = await api.postLibraryMatch({ body: { files } });
    same(calls.data('POST /api/library/match', undone).files, [path.file_id]);
    await api.postLibraryFileIdMatch({ path, body: { release_id: 1 } });
    const alike = await api.getLibraryAlike({ query: { chosen: 1, others: '2' } });
    same(calls.data('GET /api/library/alike', alike).items, []);
    const recent = calls.data('GET /api/library/recent', await api.getLibraryRecent());
    same(recent.items[0]?.name, 'One');
    const roots = calls.data('GET /api/library/roots', await api.getLibraryRoots());
    same(roots.items[0]?.problem, null);
  }

  async function useReports(): Promise<void> {
    const dashboard = calls.data('GET /api/dashboard', await api.getDashboard());
    same(dashboard.downloads.at(-1)?.count, 1);
    const stats = calls.data('GET /api/stats', await api.getStats());
    same([stats.downloads, stats.recent[0]?.username], [1, 'admin']);
    const imports = calls.data('GET /api/imports', await api.getImports());
    const path = { import_id: imports.items[0]?.id ?? 0 };
    const { samples } = calls.data(
      'GET /api/imports/{import_id}',
      await api.getImportsImportId({ path }),
    );
    same(samples.new, ['One', 'Two']);
    const audit = calls.data('GET /api/audit', await api.getAudit());
    same(audit.items.length > 0, true);
    const downloads = calls.data('GET /api/downloads', await api.getDownloads());
    const own = calls.data('GET /api/auth/downloads', await api.getAuthDownloads());
    same(own.items, downloads.items);
    await useJobs();
    const session = calls.data('GET /api/session', await api.getSession());
    same([session.user?.username, session.releases], ['admin', 2]);
    const health = calls.data('GET /api/health', await api.getHealth());
    same(health.status, 'ok');
    same(calls.data('GET /api/health/ready', await api.getHealthReady()).status, 'ok');
  }

  async function usePlatforms(): Promise<void> {
    const list = calls.data('GET /api/platforms', await api.getPlatforms());
    same([list.items[0]?.releases, list.items[0]?.have], [2, 1]);
    const path = { platform_id: list.items[0]?.id ?? 0 };
    const csv = await api.getPlatformsPlatformIdMissingCsv({ path });
    same(calls.data('GET /api/platforms/{platform_id}/missing.csv', csv).includes('Two'), true);
    const dat = await api.getPlatformsPlatformIdMissingDat({ path });
    const file = calls.data('GET /api/platforms/{platform_id}/missing.dat', dat);
    same((await file.text()).includes('Two'), true);
  }

  async function useSets(): Promise<void> {
    const rule = { all: [{ field: 'library', is: 'missing' }] };
    const saved = await api.postSets({ body: { name: 'Wanted', rule, shared: true } });
    const { id, count } = calls.data('POST /api/sets', saved);
    same(count, 1);
    const { items } = calls.data('GET /api/sets', await api.getSets());
    same([items[0]?.name, items[0]?.owner], ['Wanted', 'admin']);
    const preview = await api.postSetsPreview({ body: { rule, prefer: {} } });
    same(calls.data('POST /api/sets/preview', preview).items[0]?.name, 'Two');
    const one = '/api/sets/{set_id}';
    const path = { set_id: id };
    same(calls.data(`GET ${one}`, await api.getSetsSetId({ path })).rule, rule);
    const change = await api.patchSetsSetId({ path, body: { name: 'Missing' } });
    same(calls.data(`PATCH ${one}`, change).name, 'Missing');
    const release_id = preview.data?.items[0]?.id ?? 0;
    const why = await api.getSetsSetIdExplainReleaseId({ path: { ...path, release_id } });
    same(calls.data(`GET ${one}/explain/{release_id}`, why).in_set, true);
    const csv = await api.getSetsSetIdMissingCsv({ path });
    same(calls.data(`GET ${one}/missing.csv`, csv).includes('Two'), true);
    const dat = await api.getSetsSetIdMissingDat({ path });
    same((await calls.data(`GET ${one}/missing.dat`, dat).text()).includes('Two'), true);
    const profiles = calls.data('GET /api/profiles', await api.getProfiles());
    const device = { ...path, profile: profiles.items[0]?.id ?? '' };
    const body = { name: 'Handheld', set_id: id, profile: device.profile };
    const made = calls.data('POST /api/devices', await api.postDevices({ body }));
    const { items: devices } = calls.data('GET /api/devices', await api.getDevices());
    same(devices[0]?.set.name, 'Missing');
    const ofDevice = { device_id: made.device.id };
    const revoked = await api.deleteDevicesDeviceId({ path: ofDevice });
    same(calls.data('DELETE /api/devices/{device_id}', revoked).ok, true);
    const ofUser = { user_id: 1 };
    const listed = await api.getUsersUserIdDevices({ path: ofUser });
    same(calls.data('GET /api/users/{user_id}/devices', listed).items.length, 0);
    const gone = await api.deleteUsersUserIdDevicesDeviceId({ path: { ...ofUser, ...ofDevice } });
    same(calls.data('DELETE /api/users/{user_id}/devices/{device_id}', gone).ok, true);
    const zip = await api.getSetsSetIdExportProfile({ path: device });
    same(calls.data(`GET ${one}/export/{profile}`, zip).size > 0, true);
    const without = await api.getSetsSetIdLeftOutProfile({ path: device, query: { limit: 1 } });
    same(calls.data(`GET ${one}/left-out/{profile}`, without).not_in_library, 1);
    const found = await api.getReleases({ query: { set: 'Missing' } });
    same(found.data?.items[0]?.name, 'Two');
    calls.data(`DELETE ${one}`, await api.deleteSetsSetId({ path }));
  }

  async function useJobs(): Promise<void> {
    const body = { kind: 'scan', options: { hash: false } } as const;
    const { id } = calls.data('POST /api/jobs', await api.postJobs({ body }));
    const path = { job_id: id };
    const stopped = await api.postJobsJobIdStop({ path });
    same(calls.data('POST /api/jobs/{job_id}/stop', stopped), { ok: true });
    const { items } = calls.data('GET /api/jobs', await api.getJobs());
    same([items[0]?.id, items[0]?.started_by], [id, 'admin']);
    same(calls.data('GET /api/jobs/{job_id}', await api.getJobsJobId({ path })).kind, 'scan');
    const schedules = calls.data('GET /api/schedules', await api.getSchedules());
    const change = { path: { kind: 'scan' }, body: { weekday: null, time: '04:30' } };
    const changed = calls.data('PATCH /api/schedules/{kind}', await api.patchSchedulesKind(change));
    same([changed.time, schedules.items.some(({ on }) => on)], ['04:30', false]);
    same(calls.data('GET /api/targets', await api.getTargets()), { items: [] });
  }
}
