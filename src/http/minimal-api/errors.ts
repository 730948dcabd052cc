import type { ErrorBody } from '../shared/answer-error.ts';
import { prettyJson } from './pretty-json.ts';

/** Every error of this API is `{error}`. */
export const errorBody: ErrorBody = (message) => prettyJson({ error: message });
