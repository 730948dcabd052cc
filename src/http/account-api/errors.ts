import type { ErrorBody } from '../shared/answer-error.ts';

/** Every error of this API is `{detail}`. */
export const errorBody: ErrorBody = (detail) => JSON.stringify({ detail });
