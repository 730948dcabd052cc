import { otherSchemaVersion } from '../../core/shared/errors.ts';
import { oneChunk } from '../../core/shared/files/one-chunk.ts';
import { type NotReady, Readiness } from '../../core/stats/readiness.ts';
import { checkTmp } from '../../files/check-tmp.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import type { StoredFiles } from '../../files/stored-files.ts';
import { schemaVersion } from '../../sql/engine/open.ts';
import { readSchemaVersion } from '../../sql/engine/schema-version.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog, WarningLog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the checks and figures that show whether the server can work. */
export function openHealth(
  { config, engine, clock, folders, log }: BaseServices,
  { files }: Storage,
  passwords: { waiting(): number },
): Pick<Catalog, 'checkHealth' | 'readiness' | 'reserveDiskSpace' | 'queues' | 'freeBytes'> {
  const checkSchema = async () => {
    if ((await readSchemaVersion(engine)) !== schemaVersion) throw otherSchemaVersion();
  };
  return {
    async checkHealth() {
      await engine.checkHealth();
      await checkSchema();
    },
    readiness: new Readiness({
      checks: {
        database: () => engine.checkWrites(),
        schema: checkSchema,
        files: () => tryAreas(files),
        tmp: () => checkTmp(folders.tmp),
      },
      clock,
      onChange: (notReady) => logReadiness(log, notReady),
    }),
    reserveDiskSpace: () => engine.reserveSpace().catch(() => undefined),
    queues() {
      const { read, longRead } = engine.waiting();
      return { password: passwords.waiting(), read, long_read: longRead };
    },
    freeBytes: () => freeBytes(config.data),
  };
}

/** Writes a byte to each area that must be writable, and removes it. */
async function tryAreas({ probes }: StoredFiles): Promise<void> {
  for (const area of probes) await (await area.stage(oneChunk(new Uint8Array(1)))).discard();
}

function logReadiness(log: WarningLog, notReady: NotReady): void {
  const parts = [...notReady.keys()];
  const [error] = notReady.values();
  if (parts.length === 0) {
    log.warn({}, 'ready for writes again');
    return;
  }
  // Log the error as `reason`, not as `err`. A line with `err` may be left out during an outage.
  const reason = error instanceof Error ? error.message : String(error);
  log.warn({ parts, reason }, 'not ready for writes: free disk space, or make these available');
}
