import { refused } from '../../core/shared/errors.ts';

/**
 * Returns the error for a truncated or changed backup. The message contains `what`, which names the
 * changed file in parentheses. An empty `what` means that the changed file is not known.
 */
export const damagedBackup = (file: string, what = '') =>
  refused(`${file} is truncated or was changed since it was written${what}: nothing was restored`);
