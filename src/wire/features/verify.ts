import type { RecordedImages } from '../../core/library/recorded-images.ts';
import { Verifier } from '../../core/verify/verifier.ts';
import { SqlVerifyRecords } from '../../sql/verify/verification-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the verification of archives, covers and library files. */
export function openVerifier(
  { engine, clock, config }: BaseServices,
  { allAreas }: Storage,
  library: RecordedImages,
): Pick<Catalog, 'verifier'> {
  const records = new SqlVerifyRecords({ engine, clock });
  // Reading several files at a time is faster with an object store, but not with a hard disk.
  const parallel = config.files === '' ? 1 : 4;
  return { verifier: new Verifier({ records, areas: allAreas, library, parallel, clock }) };
}
