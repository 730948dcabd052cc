import type { Role } from './role.ts';

/** Who does something; every writing operation takes one and every write records it. */
export type Actor =
  | UserActor
  | { readonly kind: 'cli'; readonly username: string }
  | { readonly kind: 'system' };

export interface UserActor {
  readonly kind: 'user';
  readonly userId: number;
  readonly username: string;
  readonly address: string;
  /**
   * The right that the transaction of each write checks again. Absent for a login, whose password was just checked, and
   * for a job, whose right was checked when it was created.
   */
  readonly right?: Right;
}

/** The user is active and has at least this role; and the token of the request, if one is named, is live. */
export interface Right {
  readonly role: Role;
  readonly tokenId: number | null;
}

/** The actor of a request; only a request's credentials make one. */
export type RequestActor = UserActor & { readonly right: Right };
