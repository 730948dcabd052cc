import type { Role } from './role.ts';

/**
 * The user or program that performs an operation. Every operation that writes data takes an actor,
 * and every write records the actor.
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
   * The right that the transaction of each write checks again. Absent for a login, because the
   * password was checked immediately before. Also absent for a job, because the right was checked
   * when the job was created.
   */
  readonly right?: Right;
}

/**
 * The right of a user to write data. The user must be active and must have at least this role. If
 * `tokenId` is not null, the token must also be valid.
 */
export interface Right {
  readonly role: Role;
  readonly tokenId: number | null;
}

/**
 * The user who sends a request. Only code that checked the credentials of the request may create a
 * `RequestActor`.
 */
export type RequestActor = UserActor & { readonly right: Right };
