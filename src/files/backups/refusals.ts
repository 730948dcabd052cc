import { refused } from '../../core/shared/errors.ts';

/**
 * Returns the error for a changed backup. `what` names the changed part; "" if the part is not
 * known.
 */
export const changed = (file: string, what = '') =>
  refused(`${file} is cut or was changed since it was written${what}: nothing was restored`);
