import type { Preference } from '../../../core/shared/groups/choose.ts';
import type { CandidateText, TextChoice } from './candidate-text.ts';

/** A request to the thread that chooses editions. Each request gets one reply, in order. */
export interface ChoiceRequest {
  readonly preference: Preference;
  readonly candidates: CandidateText;
}

/** Null if the text of the candidates is not readable. */
export type ChoiceReply = TextChoice | null;
