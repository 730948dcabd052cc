/** The result of one check, and what to do about it. */
export interface Finding {
  /**
   * Name of the check: `node`, `data`, `files`, `database`, `library`, `covers`, `clock`, `proxy`,
   * `backups`.
   */
  readonly check: string;
  /** `wrong`: the program cannot work. `warning`: the program may fail. */
  readonly state: 'fine' | 'warning' | 'wrong';
  readonly says: string;
  /** The recommended action; null when there is nothing to do. */
  readonly advice: string | null;
}

export function fine(check: string, says: string): Finding {
  return { check, state: 'fine', says, advice: null };
}

export function warning(check: string, says: string, advice: string): Finding {
  return { check, state: 'warning', says, advice };
}

export function wrong(check: string, says: string, advice: string): Finding {
  return { check, state: 'wrong', says, advice };
}
