/**
 * The state of the process that owns unfinished work. If the state is `unknown`, the time when the
 * process was last known to be alive decides whether the work is abandoned.
 */
export type OwnerState = 'ended' | 'alive' | 'unknown';

export type OwnerStateOf = (owner: string) => Promise<OwnerState>;
