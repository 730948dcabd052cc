// A lock between processes of one clone. Uses only modules built into Node 18.
// The lock is a folder with one file, which is named after the lock's owner. A process acquires the
// lock by renaming its own folder to the lock's name. The rename is atomic and fails while a
// non-empty folder exists.
// To release the lock of a dead owner, a process deletes the owner's file by name. Two processes
// that do this concurrently can therefore never delete each other's new lock.
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 5_000;
const silentMs = 120_000;

/**
 * Runs `work` while this process has the lock. Calls `onWait(pid)` once if another process has the
 * lock.
 */
export async function withLock(folder, onWait, work) {
  const owner = `${process.pid}@${hostname()}`;
  let waited = false;
  while (!tryTake(folder, owner)) {
    if (releaseDead(folder)) continue;
    if (!waited) onWait(readOwner(folder)?.split('@')[0] ?? '?');
    waited = true;
    await sleep(200);
  }
  const heartbeat = setInterval(() => beat(join(folder, owner)), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    release(folder, owner);
  }
}

function tryTake(folder, owner) {
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, owner), '');
  try {
    renameSync(fresh, folder);
    return true;
  } catch {
    rmSync(fresh, { recursive: true, force: true });
    return false;
  }
}

/**
 * Removes the lock if its owner is dead or has not renewed the lock in time. Returns true if the
 * caller can try again at once.
 */
function releaseDead(folder) {
  const owner = readOwner(folder);
  if (owner === undefined) return removeEmpty(folder);
  const [pid, host] = owner.split('@');
  const dead = host === hostname() && !isAlive(Number(pid));
  if (!dead && !isSilent(join(folder, owner))) return false;
  return release(folder, owner);
}

function readOwner(folder) {
  try {
    return readdirSync(folder)[0];
  } catch {
    return undefined;
  }
}

function release(folder, owner) {
  rmSync(join(folder, owner), { force: true });
  return removeEmpty(folder);
}

function removeEmpty(folder) {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return error.code === 'ENOENT';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isSilent(file) {
  try {
    return Date.now() - statSync(file).mtimeMs > silentMs;
  } catch {
    return false;
  }
}

function beat(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // another process took over the lock while this machine slept, so do not renew it
  }
}
