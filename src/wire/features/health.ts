import { Readiness } from '../../core/stats/readiness.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import type { Base } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the checks and figures that show whether the server can work. */
export function openHealth(
  { config, engine, clock }: Base,
  { files }: Storage,
  passwords: { waiting(): number },
): Pick<Catalog, 'checkHealth' | 'readiness' | 'keepRoom' | 'queues' | 'freeBytes'> {
  return {
    checkHealth: () => engine.checkHealth(),
    readiness: new Readiness({
      checkDatabase: () => engine.checkWrites(),
      areas: files.probes,
      clock,
    }),
    keepRoom: () => engine.keepRoom().catch(() => undefined),
    queues() {
      const { read, readAtLength } = engine.waiting();
      return { password: passwords.waiting(), read, long_read: readAtLength };
    },
    freeBytes: () => freeBytes(config.data),
  };
}
