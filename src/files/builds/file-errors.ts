import { basename } from 'node:path';
import { StepProblem } from '../../core/builds/ports.ts';
import { systemReason } from '../../core/shared/system-reason.ts';
import { codeOf } from '../local/disk-error.ts';

/** System error codes that concern one file. After such an error, the build continues. */
const ofOneFile: readonly string[] = [
  ...['EEXIST', 'EFBIG', 'EILSEQ', 'EINVAL', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR'],
  'EXDEV',
];

/** Converts the errors that concern one file to `StepProblem`. Rethrows all others. */
export async function withFileErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StepProblem || !ofOneFile.includes(codeOf(error) ?? '')) throw error;
    throw new StepProblem('failed', `${basename(path)}: ${systemReason(error)}`, error);
  }
}
