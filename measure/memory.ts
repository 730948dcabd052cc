import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/**
 * Returns the peak memory of a process since its start or since `resetPeakMemory`, in MiB. Returns
 * null if the system does not report it.
 */
export function peakMemoryMib(pid: number): number | null {
  return readStatusField(pid, 'VmHWM');
}

/**
 * Returns the current memory of a process, in MiB. Returns null if the system does not report it.
 */
export function currentMemoryMib(pid: number): number | null {
  return readStatusField(pid, 'VmRSS');
}

/**
 * Resets the peak that `peakMemoryMib` returns (proc_pid_clear_refs(5)). Does nothing if the system
 * does not support the reset.
 */
export async function resetPeakMemory(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}

function readStatusField(pid: number, field: string): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kib] = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status) ?? [];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch {
    return null;
  }
}
