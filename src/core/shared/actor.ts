import type { Role } from './role.ts';

/**
 * The user or program that performs an operation. Every operation that writes takes an actor, and
 * every write records it.
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
   * was just checked. Also absent for a job, whose right was checked when it was created.
   */
  readonly right?: Right;
}

/**
 * A right to write. It requires that the user is active and has at least this role. If `tokenId` is
 * not null, the token must also be valid.
 */
export interface Right {
  readonly role: Role;
  readonly tokenId: number | null;
}

/**
 * The user who sends a request. Only code that checked the request's credentials may create one.
 */
export type RequestActor = UserActor & { readonly right: Right };
