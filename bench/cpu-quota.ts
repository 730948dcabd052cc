import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const periodUs = 100_000;
/** Paths for Linux control groups, versions 1 and 2 (kernel documents cgroup-v1 and cgroup-v2). */
const cgroupPaths = [
  { folder: '/sys/fs/cgroup/cpu', file: 'cpu.cfs_quota_us', text: (us: number) => `${us}` },
  { folder: '/sys/fs/cgroup', file: 'cpu.max', text: (us: number) => `${us} ${periodUs}` },
] as const;

/** Returns the reason why CPU quotas cannot be set on this machine; null if they can be set. */
export function quotaSkipReason(): string | null {
  return findCgroup() === null ? 'CPU control groups are not available' : null;
}

/**
 * Limits a process to `processors` processors, which may be a fraction. Returns a function that
 * removes the control group. Call the function after the process has ended.
 */
export function limitProcessors(name: string, pid: number, processors: number): () => void {
  const cgroup = findCgroup();
  if (cgroup === null) throw new Error(quotaSkipReason() ?? '');
  const group = join(cgroup.folder, `catalog-bench-${process.pid}-${name}`);
  mkdirSync(group);
  writeFileSync(join(group, cgroup.file), cgroup.text(processors * periodUs));
  writeFileSync(join(group, 'cgroup.procs'), `${pid}`);
  return () => rmdirSync(group);
}

function findCgroup() {
  return cgroupPaths.find(({ folder }) => isUsableCgroup(folder)) ?? null;
}

function isUsableCgroup(folder: string): boolean {
  const probe = join(folder, `catalog-bench-${process.pid}-probe`);
  try {
    accessSync(folder, constants.W_OK);
    mkdirSync(probe);
    const hasQuotaFile = cgroupPaths.some(
      ({ folder: one, file }) => one === folder && existsSync(join(probe, file)),
    );
    rmdirSync(probe);
    return hasQuotaFile;
  } catch {
    return false;
  }
}
