import { refused } from '../../core/shared/errors.ts';

/** `what` says which part, where that is known. */
export const changed = (file: string, what = '') =>
  refused(`${file} is cut or was changed since it was written${what}: nothing was restored`);
