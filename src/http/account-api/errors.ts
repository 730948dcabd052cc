import type { ErrorBody } from '../shared/server/answer-error.ts';

/** Returns the body of an error response: `{detail}`. */
export const errorBody: ErrorBody = (detail) => JSON.stringify({ detail });
