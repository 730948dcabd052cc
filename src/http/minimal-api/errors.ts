import type { ErrorBody } from '../shared/server/answer-error.ts';
import { prettyJson } from './pretty-json.ts';

/** Returns the body of an error response: `{error}`. */
export const errorBody: ErrorBody = (message) => prettyJson({ error: message });
