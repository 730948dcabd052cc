import { Refusal } from '../api/request.ts';

/** Whether something failed because nobody is signed in. */
export const isSignedOut = (failure: unknown) =>
  failure instanceof Refusal && failure.status === 401;
