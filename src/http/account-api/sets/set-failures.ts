import { notFound, setTooLarge } from '../../../core/shared/errors.ts';

/** The errors of a request for the releases of a set. */
export const setFailures = [notFound(), setTooLarge()];
