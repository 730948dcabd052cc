import type { VerifyPart, VerifyProgress, VerifyReport } from '../../core/verify/verification.ts';
import { verifyParts } from '../../core/verify/verification.ts';
import type { Catalog } from '../../wire.ts';
import type { Work } from './work.ts';

/**
 * Options of `verify`; without any of the first three it verifies everything, including the
 * database.
 */
export interface VerifyJobOptions {
  readonly store?: boolean | undefined;
  readonly covers?: boolean | undefined;
  readonly library?: boolean | undefined;
  /** Limit in bytes per second. */
  readonly rate?: number | undefined;
}

/** Maximum number of findings that a job's report names; it counts all. */
const mostFindings = 500;

export function verifyWork(
  { verifier }: Pick<Catalog, 'verifier'>,
  { rate, ...asked }: VerifyJobOptions,
): Work<VerifyProgress, VerifyReport> {
  const parts = partsOf(asked);
  return {
    run: (watch) => verifier.run({ ...watch, parts, rate }),
    progressOf: ({ bytes, total, name }) => {
      return { phase: 'verify', done: bytes, total, unit: 'bytes', name };
    },
    kept: ({ startedAt, files, bytes, findings }) => {
      const first = findings.slice(0, mostFindings);
      return { startedAt, files, bytes, findings: first, findingsFiles: findings.length };
    },
  };
}

function partsOf({ store, covers, library }: Omit<VerifyJobOptions, 'rate'>): VerifyPart[] {
  const parts: VerifyPart[] = [];
  if (covers) parts.push('covers');
  if (store) parts.push('games', 'videos');
  if (library) parts.push('library');
  return parts.length === 0 ? [...verifyParts] : parts;
}
