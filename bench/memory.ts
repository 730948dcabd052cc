import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Row } from './row.ts';

/** The most that a process took since it began, or since `resetMost`, in MiB; null where the system does not tell. */
export function mostTaken(pid: number): number | null {
  return fieldOf(pid, 'VmHWM');
}

/** What a process takes now, in MiB; null where the system does not tell. */
export function takenNow(pid: number): number | null {
  return fieldOf(pid, 'VmRSS');
}

/** From here on `mostTaken` is of what comes (proc_pid_clear_refs(5)); nothing where the system cannot. */
export async function resetMost(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}

/** A row of memory that is bounded by itself. */
export function memoryRow(name: string, what: string, mib: number, most: number): Row {
  return {
    name,
    what,
    unit: 'MiB',
    catalog: mib,
    reference: null,
    against: '',
    targets: [{ of: 'catalog', most }],
  };
}

function fieldOf(pid: number, field: string): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kib] = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status) ?? [];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch {
    return null;
  }
}
