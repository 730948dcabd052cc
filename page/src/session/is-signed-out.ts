import { Refusal } from '../api/request.ts';

/** Returns true if a request failed because the user is not signed in. */
export const isSignedOut = (failure: unknown) =>
  failure instanceof Refusal && failure.status === 401;
