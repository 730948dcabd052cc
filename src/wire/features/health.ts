import { Readiness } from '../../core/stats/readiness.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the checks and figures that show whether the server can work. */
export function openHealth(
  { config, engine, clock }: BaseServices,
  { files }: Storage,
  passwords: { waiting(): number },
): Pick<Catalog, 'checkHealth' | 'readiness' | 'reserveDiskSpace' | 'queues' | 'freeBytes'> {
  return {
    checkHealth: () => engine.checkHealth(),
    readiness: new Readiness({
      checkDatabase: () => engine.checkWrites(),
      areas: files.probes,
      clock,
    }),
    reserveDiskSpace: () => engine.reserveSpace().catch(() => undefined),
    queues() {
      const { read, longRead } = engine.waiting();
      return { password: passwords.waiting(), read, long_read: longRead };
    },
    freeBytes: () => freeBytes(config.data),
  };
}
