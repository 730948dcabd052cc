/**
 * Whether the process that owns unfinished work has ended. `unknown` if this cannot be determined;
 * then the age of its last sign of life decides.
 */
export type OwnerState = 'ended' | 'alive' | 'unknown';

export type OwnerStateOf = (owner: string) => Promise<OwnerState>;
