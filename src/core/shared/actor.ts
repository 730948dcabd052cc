import type { Role } from './role.ts';

/**
 * The user or program that does something. Every writing operation takes an actor, and every write
 * records it.
 */
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
   * The right that the transaction of each write checks again. Absent for a login, whose password
   * was just checked, and for a job, whose right was checked when it was created.
   */
  readonly right?: Right;
}

/**
 * A right to write: the user must be active and have at least this role. The request's token, if
 * one is named, must be live.
 */
export interface Right {
  readonly role: Role;
  readonly tokenId: number | null;
}

/** The actor of a request; only a request's credentials make one. */
export type RequestActor = UserActor & { readonly right: Right };
