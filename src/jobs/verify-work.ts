import type { JobOptionsOf } from '../core/jobs/job-kind.ts';
import type { VerifyPart, VerifyProgress, VerifyReport } from '../core/verify/verification.ts';
import { verifyParts } from '../core/verify/verification.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/**
 * Returns the work that verifies the requested parts. If none of `store`, `covers` and `library` is
 * set, everything is verified, including the database.
 */
export function verifyWork(
  { verifier }: Pick<Catalog, 'verifier'>,
  { rate, parallel, ...requested }: JobOptionsOf<'verify'>,
): Work<'verify', VerifyProgress, VerifyReport> {
  const parts = partsOf(requested);
  return {
    kind: 'verify',
    run: (watch) => verifier.run({ ...watch, parts, rate, parallel }),
    progressOf: ({ bytes, total, name }) => {
      return { phase: 'verify', done: bytes, total, unit: 'bytes', name };
    },
    toStoredReport: ({ parts: _, ...report }) => report,
  };
}

function partsOf({
  store,
  covers,
  library,
}: Omit<JobOptionsOf<'verify'>, 'rate' | 'parallel'>): VerifyPart[] {
  const parts: VerifyPart[] = [];
  if (covers) parts.push('covers');
  if (store) parts.push('games', 'videos');
  if (library) parts.push('library');
  return parts.length === 0 ? [...verifyParts] : parts;
}
