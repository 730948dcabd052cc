import type { Actor } from '../shared/actor.ts';
import type { Role } from '../shared/role.ts';
import type { Credential, Token, User } from './account.ts';

export interface NewToken {
  readonly userId: number;
  /** SHA-256 of the token's value, lower-case hexadecimal. */
  readonly hash: string;
  readonly label: string;
  readonly kind: Token['kind'];
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export interface UserChange {
  readonly role?: Role;
  readonly isActive?: boolean;
  readonly passwordHash?: string;
  /** Nothing is changed when the user has another password hash by now. */
  readonly formerHash?: string;
  /** Revokes every live token of the user in the same transaction. */
  readonly revokeTokens?: boolean;
  /** The token that stays live then. */
  readonly keepToken?: number;
}

/** A login whose password was right. */
export interface CheckedLogin {
  readonly tryId: number;
  /** The hash that the password was compared with. */
  readonly passwordHash: string;
}

/** A part of a list: so many from that place on, counted from 0. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Users and tokens in the database. Every write is one transaction that also records the actor, and throws as
 * `checkRight` does when the actor's right is lost.
 */
export interface AccountRecords {
  /** Throws `not authenticated` or `forbidden` when the right of the actor is lost. */
  checkRight(actor: Actor): Promise<void>;
  /** Ordered by username; all without a page. */
  listUsers(page?: Page): Promise<User[]>;
  findUser(id: number): Promise<User | null>;
  findUserByName(username: string): Promise<(User & { passwordHash: string }) | null>;
  /** Throws `username already exists`. */
  createUser(
    user: { username: string; passwordHash: string; role: Role },
    actor: Actor,
  ): Promise<User>;
  /**
   * Creates an admin, unless there is an active one: then null. The look and the creation are one transaction. Throws
   * `username already exists`.
   */
  createFirstAdmin(
    user: { username: string; passwordHash: string },
    actor: Actor,
  ): Promise<User | null>;
  /** Null when there is no such user, or it has another hash than `formerHash`. Throws `last active admin`. */
  updateUser(id: number, change: UserChange, actor: Actor): Promise<User | null>;
  /** False when there is no such user. Throws `last active admin`. */
  deleteUser(id: number, actor: Actor): Promise<boolean>;
  hasActiveAdmin(): Promise<boolean>;

  /** Ordered by id, newest first; all without a page, empty for an unknown user. */
  listTokens(userId: number, page?: Page): Promise<Token[]>;
  /**
   * Stores a token; for a login, also the user's time of last login, clears its try as `LoginTries.clear` does, and makes
   * its network familiar for the name. Null when the user is gone or inactive, or has another password since it was
   * checked for the login. A user who has as many live tokens as may be gets `too many tokens`, but at a login the token
   * that an earlier login made and that was unused for longest is revoked.
   */
  createToken(token: NewToken, actor: Actor, login: CheckedLogin | null): Promise<number | null>;
  /** `arrival`: of the request that asks. */
  findCredential(hash: string): Promise<Credential | null>;
  /** Keeps an earlier `revokedAt`; does nothing when nothing matches. */
  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void>;
  /** Notes the use of a token, some time soon; never delays or fails the caller. */
  noteTokenUse(tokenId: number, at: string): void;
  /**
   * Notes a failed login in the audit in the same way: one row for a name, network and window, with how many there were
   * and when the last was, so that strangers cannot fill the disk.
   */
  noteFailedLogin(failed: FailedLogin): void;
}

/** All times are timestamps. */
export interface FailedLogin {
  /** As it was sent, safe to show and at most 255 bytes of it. */
  readonly username: string;
  /** The address, of IPv6 its /64. */
  readonly network: string;
  readonly at: string;
  /** Failures since then are counted in one row. */
  readonly windowStart: string;
  /** Rows of before then go. */
  readonly keptSince: string;
}

/** A try to log in, before its password is checked. */
export interface LoginTry {
  readonly name: string;
  /** See `networkOf`. */
  readonly network: string;
  /** How long a failure counts, in milliseconds. */
  readonly windowMs: number;
  /** So many failures and tries under way are allowed for the name from this network. */
  readonly mostOfName: number;
  /** And for the network, whatever the names. */
  readonly mostOfNetwork: number;
}

/** The tries of all processes that share the database, which count exactly however many come at once. */
export interface LoginTries {
  /**
   * Reserves a place, by these limits and `overallLimit`, or tells after how many milliseconds there may be one: 0 when nothing has failed yet and those under
   * way decide. Throws busy().
   */
  begin(attempt: LoginTry): Promise<{ id: number } | { freeInMs: number }>;
  /** What counted as under way counts as a failure from now on; never delays or fails the caller. */
  noteFailure(id: number): void;
  /** A login that succeeded: its name's failures from its network count no longer for the name. */
  clear(id: number): Promise<void>;
  /** A try that was not decided does not count. */
  forget(id: number): Promise<void>;
}

/** Turns passwords into hashes and back into a yes or no. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes as long as `verify`, for names that do not exist. */
  verifyNothing(password: string): Promise<void>;
}
