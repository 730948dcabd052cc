import { setTimeout } from 'node:timers/promises';
import { adminPassword } from '../../measure/program.ts';
import { logIn, openUserClient, type UserClient } from '../../measure/user-client.ts';
import { smallPicture } from '../tools/small-picture.ts';

const backupWithinMs = 30_000;
const archive = new Uint8Array(4 * 1024 ** 2).map((_, at) => at % 251);

/**
 * Uses features that need native modules, threads, subprocesses and a second volume. Returns how
 * many of the five features failed.
 */
export async function useFeatures(url: string, importing: () => Promise<unknown>): Promise<number> {
  const imported = await failureCount(importing());
  const admin = await openUserClient(url);
  const cover = await admin.putCover(1, smallPicture);
  const small = await fetch(`${url}/api/cover/1?width=160`);
  const type = small.headers.get('content-type');
  const json = { username: 'ann', password: adminPassword, role: 'user' };
  const user = await admin.request('/api/users', { json });
  const stored = await admin.upload('kept.bin', archive);
  const succeeded = [
    cover.status === 200 && type === 'image/webp',
    user.status === 200,
    stored.status === 200,
    await hasBackup(admin),
  ];
  return imported + succeeded.filter((hasSucceeded) => !hasSucceeded).length;
}

async function hasBackup(admin: UserClient): Promise<boolean> {
  for (const until = performance.now() + backupWithinMs; performance.now() < until; ) {
    const { json } = await admin.request('/api/jobs?kind=backup&state=done');
    if ((json as { items?: unknown[] } | null)?.items?.length) return true;
    await setTimeout(200);
  }
  return false;
}

/** Returns how many of three things are lost: a login, an archive and a cover. */
export async function countLost(url: string): Promise<number> {
  const login = await logIn(url, 'ann');
  const token = (login.json as { token?: string } | null)?.token ?? '';
  const headers = { authorization: `Bearer ${token}` };
  const bytesOf = async (path: string) => {
    const response = await fetch(url + path, { headers });
    return Buffer.from(await response.arrayBuffer());
  };
  const isPresent = [
    login.status === 200,
    (await bytesOf('/api/store/download/games/kept.bin')).equals(archive),
    (await bytesOf('/api/cover/1')).equals(smallPicture),
  ];
  return isPresent.filter((found) => !found).length;
}

/** Resolves to 1 if the promise rejects, otherwise to 0. */
export const failureCount = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    () => 1,
  );
