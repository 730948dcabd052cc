/** One thing that was looked at, and what to do about it. */
export interface Finding {
  /** What: `node`, `data`, `database`, `library`, `covers`, `proxy`, `clock`, `backups`. */
  readonly check: string;
  /** `wrong` keeps the program from its work; a `warning` may. */
  readonly state: 'fine' | 'warning' | 'wrong';
  readonly says: string;
  /** Null where nothing is to be done. */
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
