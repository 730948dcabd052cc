import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserClient } from '../../measure/user-client.ts';

/** Returns all state that requests could change, as an admin sees it and as stored on disk. */
export async function stateOf(admin: UserClient, data: string): Promise<Record<string, string>> {
  const state: Record<string, string> = { files: await contentOf(data) };
  const { json } = await admin.request('/api/releases?limit=500');
  const { items } = json as { items: { id: number }[] };
  const releases = items.map(async ({ id }) => (await admin.request(`/api/releases/${id}`)).json);
  state.releases = JSON.stringify(await Promise.all(releases));
  for (const list of ['store', 'users', 'uploads', 'jobs', 'schedules', 'imports', 'platforms']) {
    const text = JSON.stringify((await admin.request(`/api/${list}`)).json);
    state[list] = text.replace(/"last_login_at":("[^"]*"|null)/g, '');
  }
  return state;
}

/** Returns a text with the content of the covers, the archives and the canaries. */
export async function contentOf(data: string): Promise<string> {
  const parts = ['covers', 'store', 'canary.txt', '../canary.txt'].map(async (name) => {
    const path = join(data, name);
    const files = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    if (files === null) return readFile(path, 'utf8').catch(() => '');
    const paths = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    return Promise.all(paths.sort().map(async (each) => [each, await readFile(each, 'base64')]));
  });
  return JSON.stringify(await Promise.all(parts));
}
