/**
 * Whether the process that owns unfinished work has ended. `unknown` where nobody can tell: then the age of its last sign
 * of life has to.
 */
export type OwnerState = 'ended' | 'alive' | 'unknown';

export type OwnerStateOf = (owner: string) => Promise<OwnerState>;
