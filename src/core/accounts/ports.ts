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
  /** Changes nothing when the user's password hash is no longer this one. */
  readonly formerHash?: string;
  /** Revokes every live token of the user in the same transaction. */
  readonly revokeTokens?: boolean;
  /** The token that `revokeTokens` leaves live. */
  readonly keepToken?: number;
}

/** A login whose password was correct. */
export interface CheckedLogin {
  readonly tryId: number;
  /** The hash that the password was compared with. */
  readonly passwordHash: string;
}

/** A page of a list: up to `limit` items from `offset` on, counted from 0. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Users and tokens in the database. Every write is one transaction that also records the actor. It
 * throws as `checkRight` does when the actor has lost the right.
 */
export interface AccountRecords {
  /** Throws `not authenticated` or `forbidden` when the actor has lost the right. */
  checkRight(actor: Actor): Promise<void>;
  /** Ordered by username; all users if no page is given. */
  listUsers(page?: Page): Promise<User[]>;
  findUser(id: number): Promise<User | null>;
  findUserByName(username: string): Promise<(User & { passwordHash: string }) | null>;
  /** Throws `username already exists`. */
  createUser(
    user: { username: string; passwordHash: string; role: Role },
    actor: Actor,
  ): Promise<User>;
  /**
   * Creates an admin, or returns null if there is an active one. The check and the creation are one
   * transaction. Throws `username already exists`.
   */
  createFirstAdmin(
    user: { username: string; passwordHash: string },
    actor: Actor,
  ): Promise<User | null>;
  /**
   * Returns null when the user does not exist, or has another hash than `formerHash`. Throws `last
   * active admin`.
   */
  updateUser(id: number, change: UserChange, actor: Actor): Promise<User | null>;
  /** Returns false when the user does not exist. Throws `last active admin`. */
  deleteUser(id: number, actor: Actor): Promise<boolean>;
  hasActiveAdmin(): Promise<boolean>;

  /** Ordered by id, newest first; all tokens if no page is given, empty for an unknown user. */
  listTokens(userId: number, page?: Page): Promise<Token[]>;
  /**
   * Stores a token. For a login, it also sets the user's time of last login, clears the attempt as
   * `LoginTries.clear` does, and makes its network familiar. Returns null when the user is gone or
   * inactive, or has changed the password since the login checked it. Throws `too many tokens` when
   * the user has reached the limit of live tokens. A login instead revokes the login token that was
   * unused for longest.
   */
  createToken(token: NewToken, actor: Actor, login: CheckedLogin | null): Promise<number | null>;
  /** `arrival` belongs to the request that presents the token. */
  findCredential(hash: string): Promise<Credential | null>;
  /** Keeps an earlier `revokedAt`. Does nothing when no token matches. */
  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void>;
  /** Records the use of a token as a deferred write; never delays or fails the caller. */
  noteTokenUse(tokenId: number, at: string): void;
  /**
   * Records a failed login in the audit, also as a deferred write. There is one row per name,
   * network and window, with the number of failures and the time of the last. Attackers can
   * therefore not fill the disk.
   */
  noteFailedLogin(failed: FailedLogin): void;
}

/** A failed login. All times are timestamps. */
export interface FailedLogin {
  /** The name as it was sent, made safe to display and cut to 255 bytes. */
  readonly username: string;
  /** The IP address; for IPv6, its /64 network. */
  readonly network: string;
  readonly at: string;
  /** Start of the window; failures since then are counted in one row. */
  readonly windowStart: string;
  /** Rows older than this are removed. */
  readonly keptSince: string;
}

/** A login attempt whose password is not checked yet. */
export interface LoginTry {
  readonly name: string;
  /** See `networkOf`. */
  readonly network: string;
  /** How long a failure counts, in milliseconds. */
  readonly windowMs: number;
  /** Limit of failures and pending attempts for the name from this network. */
  readonly mostOfName: number;
  /** Limit of failures and pending attempts for the network, for all names together. */
  readonly mostOfNetwork: number;
}

/**
 * The login attempts of all processes that share the database; the counts stay exact under
 * concurrency.
 */
export interface LoginTries {
  /**
   * Reserves a place within these limits and `overallLimit`. Otherwise returns the milliseconds
   * until a place may be free. That is 0 when nothing has failed yet and the outcome depends on
   * pending attempts. Throws busy().
   */
  begin(attempt: LoginTry): Promise<{ id: number } | { freeInMs: number }>;
  /** Turns a pending attempt into a failure; never delays or fails the caller. */
  noteFailure(id: number): void;
  /**
   * Records a successful login: the name's failures from its network no longer count for the name.
   */
  clear(id: number): Promise<void>;
  /** Removes an attempt without an outcome, so that it does not count. */
  forget(id: number): Promise<void>;
}

/** Hashes passwords, and checks passwords against hashes. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes as long as `verify`; used for names that do not exist. */
  verifyNothing(password: string): Promise<void>;
}
