/**
 * Requests that had all arrived before the first of them was looked at: what is true when it is first asked for one of them is
 * new enough for all.
 */
export type Arrival = object;
