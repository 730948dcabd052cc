// A lock between processes of one clone. Built-ins only, Node 18 or later.
//
// The lock is a folder with one file, named after its owner. It is created by a rename, which is
// atomic and fails while a non-empty folder exists. It is taken from a dead owner by deleting that
// owner's file by name, so two takers can never delete each other's new lock.
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

/** Runs `work` while holding the lock. `onWait(pid)` is called once if another process holds it. */
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
 * Removes the lock of an owner that is dead or has been silent. Returns whether to try again at
 * once.
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
    // taken over while this machine slept: nothing to renew
  }
}
