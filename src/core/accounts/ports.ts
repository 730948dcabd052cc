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
  /** Changes the user only if the stored password hash is still this one. */
  readonly formerHash?: string;
  /** Whether to revoke every valid token of the user in the same transaction. */
  readonly revokeTokens?: boolean;
  /** Id of the one token that `revokeTokens` does not revoke. */
  readonly keepToken?: number;
}

/** A login attempt whose password was found to be correct. */
export interface CheckedLogin {
  readonly tryId: number;
  /** The stored hash that the password was compared with. */
  readonly passwordHash: string;
}

/** A page of a list: up to `limit` items from `offset` on, counted from 0. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The users and tokens in the database. Each write is one transaction, which also records the actor
 * in the audit. Each write throws the same errors as `checkRight`.
 */
export interface AccountRecords {
  /** Throws `not authenticated` or `forbidden` when the actor no longer has the right to write. */
  checkRight(actor: Actor): Promise<void>;
  /** Returns users ordered by username; all users if no page is given. */
  listUsers(page?: Page): Promise<User[]>;
  findUser(id: number): Promise<User | null>;
  findUserByName(username: string): Promise<(User & { passwordHash: string }) | null>;
  /** Creates a user. Throws `username already exists`. */
  createUser(
    user: { username: string; passwordHash: string; role: Role },
    actor: Actor,
  ): Promise<User>;
  /**
   * Creates an admin, or returns null if an active admin exists. One transaction checks and
   * creates. Throws `username already exists`.
   */
  createFirstAdmin(
    user: { username: string; passwordHash: string },
    actor: Actor,
  ): Promise<User | null>;
  /**
   * Changes a user. Returns null when the user does not exist, or when the stored password hash is
   * not `formerHash`. Throws `last active admin`.
   */
  updateUser(id: number, change: UserChange, actor: Actor): Promise<User | null>;
  /** Deletes a user; returns false when the user does not exist. Throws `last active admin`. */
  deleteUser(id: number, actor: Actor): Promise<boolean>;
  hasActiveAdmin(): Promise<boolean>;

  /**
   * Returns the user's tokens ordered by id, newest first; all of them if no page is given. Returns
   * an empty array for an unknown user.
   */
  listTokens(userId: number, page?: Page): Promise<Token[]>;
  /**
   * Stores a token and returns its id. Returns null when the user does not exist, is inactive, or
   * changed the password after the login checked it. For a login, it also sets the user's time of
   * last login and clears the attempt, as `LoginTries.clear` does. The network of the login then
   * becomes familiar. If the user has the maximum number of valid tokens, a login revokes the least
   * recently used login token. In any other case, it throws `too many tokens`.
   */
  createToken(token: NewToken, actor: Actor, login: CheckedLogin | null): Promise<number | null>;
  /**
   * Returns the user and token with this token hash, even if the token is revoked or expired; null
   * if there is no such token.
   */
  findCredential(hash: string): Promise<Credential | null>;
  /**
   * Revokes a token; an earlier `revokedAt` stays. Does nothing when the user has no such token.
   */
  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void>;
  /** Records the use of a token as a deferred write; never delays or fails the caller. */
  noteTokenUse(tokenId: number, at: string): void;
  /**
   * Records a failed login in the audit, as a deferred write; never delays or fails the caller.
   * Each name, network and window has one row, which holds the number of failures and the time of
   * the last. An attacker therefore cannot fill the disk.
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
  /** Failures since this time are counted in one row of the audit. */
  readonly windowStart: string;
  /** Failed logins recorded before this time are removed from the audit. */
  readonly keptSince: string;
}

/** A login attempt whose password has not been checked yet. */
export interface LoginTry {
  readonly name: string;
  /** The network of the client's IP address; see `networkOf`. */
  readonly network: string;
  /** How long a failed attempt is included in the count, in milliseconds. */
  readonly windowMs: number;
  /** Maximum number of failed and pending attempts for the name from this network. */
  readonly mostOfName: number;
  /** Maximum number of failed and pending attempts from this network, for all names together. */
  readonly mostOfNetwork: number;
}

/**
 * The login attempts of all processes that share the database. The counts are exact even when
 * attempts are made concurrently.
 */
export interface LoginTries {
  /**
   * Records a pending attempt and returns its id, if the limits of `attempt` and `overallLimit`
   * allow one more. Otherwise returns the milliseconds until another attempt may be allowed. These
   * are 0 when only pending attempts fill the limit. Throws busy().
   */
  begin(attempt: LoginTry): Promise<{ id: number } | { freeInMs: number }>;
  /** Records that a pending attempt failed; never delays or fails the caller. */
  noteFailure(id: number): void;
  /**
   * Records that an attempt succeeded. Earlier failures for its name from its network no longer
   * count for the name.
   */
  clear(id: number): Promise<void>;
  /** Removes an attempt that neither failed nor succeeded, so that it does not count. */
  forget(id: number): Promise<void>;
}

/** Hashes passwords, and checks passwords against hashes. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /**
   * Takes as long as `verify`. Call it for a name that does not exist, so that the time does not
   * reveal this.
   */
  verifyNothing(password: string): Promise<void>;
}
