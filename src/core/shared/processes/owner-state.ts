/**
 * The state of the process that owns unfinished work. If the state is `unknown`, the time of the
 * process's last sign of life decides whether the work is abandoned.
 */
export type OwnerState = 'ended' | 'alive' | 'unknown';

export type OwnerStateOf = (owner: string) => Promise<OwnerState>;
