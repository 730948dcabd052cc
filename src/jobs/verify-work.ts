import type { VerifyPart, VerifyProgress, VerifyReport } from '../core/verify/verification.ts';
import { verifyParts } from '../core/verify/verification.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/**
 * Options of a verify job. If none of `store`, `covers` and `library` is set, everything is
 * verified, including the database.
 */
export interface VerifyJobOptions {
  readonly store?: boolean | undefined;
  readonly covers?: boolean | undefined;
  readonly library?: boolean | undefined;
  /** Maximum number of bytes to read per second. */
  readonly rate?: number | undefined;
}

/**
 * Maximum number of findings that a job's report lists. The report's count `findingsFiles` includes
 * all findings.
 */
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
