import type { Row } from './row.ts';
import { answersRow } from './rows/answers.ts';
import { databaseFaults } from './rows/database-faults.ts';
import { demotions } from './rows/demotions.ts';
import { edits } from './rows/edits.ts';
import { faultsRow } from './rows/faults.ts';
import { killed } from './rows/killed.ts';
import { killedImport } from './rows/killed-import.ts';
import { largeArchive } from './rows/large-archive.ts';
import { logins } from './rows/logins.ts';
import { moved } from './rows/moved.ts';
import { readThere } from './rows/read-there.ts';
import { verifyRow } from './rows/verify.ts';

/** All rows, in the order in which they run. */
export const rows: readonly Row[] = [
  demotions,
  edits,
  logins,
  readThere,
  killed,
  killedImport,
  databaseFaults,
  largeArchive,
  moved,
  answersRow,
  verifyRow,
  faultsRow,
];
