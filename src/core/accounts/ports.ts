import type { Actor } from '../shared/requests/actor.ts';
import type { Role } from '../shared/requests/role.ts';
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
  /** The change applies only if the stored password hash equals this hash. */
  readonly formerHash?: string;
  /** True to revoke every valid token of the user in the same transaction. */
  readonly revokeTokens?: boolean;
  /** Id of the only token that `revokeTokens` does not revoke. */
  readonly keepToken?: number;
}

/** A login attempt with a correct password. */
export interface CheckedLogin {
  readonly tryId: number;
  /** The stored hash that the password was compared with. */
  readonly passwordHash: string;
}

/** A page of a list: up to `limit` items, starting at the 0-based position `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The users and tokens in the database. Each write is one transaction, which also records the actor
 * in the audit. Each write throws the errors of `checkRight`.
 */
export interface AccountRecords {
  /** Throws `not authenticated` or `forbidden` when the actor no longer has the right to write. */
  checkRight(actor: Actor): Promise<void>;
  /** Returns users ordered by username; all users if `page` is missing. */
  listUsers(page?: Page): Promise<User[]>;
  findUser(id: number): Promise<User | null>;
  findUserByName(username: string): Promise<(User & { passwordHash: string }) | null>;
  /** Creates a user. Throws `username already exists`. */
  createUser(
    user: { username: string; passwordHash: string; role: Role },
    actor: Actor,
  ): Promise<User>;
  /**
   * Creates an admin, or returns null if an active admin exists. The check and the creation are one
   * transaction. Throws `username already exists`.
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
   * Returns the user's tokens ordered by id, newest first; all tokens if `page` is missing. Returns
   * an empty array for an unknown user.
   */
  listTokens(userId: number, page?: Page): Promise<Token[]>;
  /**
   * Stores a token and returns its id. Returns null when the user does not exist, is inactive, or
   * changed the password after the login checked it.
   *
   * A login also sets the user's last login time, clears the attempt as `LoginTries.clear` does,
   * and makes its network familiar.
   *
   * The number of valid tokens of a user is limited. At the limit, a login revokes the least
   * recently used login token, if there is one. Without a login, throws `too many tokens`.
   */
  createToken(token: NewToken, actor: Actor, login: CheckedLogin | null): Promise<number | null>;
  /**
   * Returns the user and token with this token hash, even if the token is revoked or expired; null
   * if there is no such token.
   */
  findCredential(hash: string): Promise<Credential | null>;
  /**
   * Revokes a token; an already revoked token keeps its `revokedAt`. Does nothing when the user has
   * no such token.
   */
  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void>;
  /** Records the use of a token as a deferred write; never delays or fails the caller. */
  recordTokenUse(tokenId: number, at: string): void;
  /**
   * Records a failed login in the audit, as a deferred write; never delays or fails the caller. The
   * audit has one row per name, network and window, with the number of failures and the time of the
   * last one. An attacker therefore cannot fill the disk.
   */
  recordFailedLogin(failed: FailedLogin): void;
}

/** A failed login. All times are ISO 8601 texts in UTC. */
export interface FailedLogin {
  /** The name as it was sent, made safe to display and truncated to 255 bytes. */
  readonly username: string;
  /** The IPv4 address, or the /64 network of an IPv6 address. */
  readonly network: string;
  readonly at: string;
  /** One row of the audit counts all failures since this time. */
  readonly windowStart: string;
  /** Failed logins recorded before this time are removed from the audit. */
  readonly retainedSince: string;
}

/** A login attempt whose password has not been checked yet. */
export interface LoginTry {
  readonly name: string;
  /** The network of the client's IP address, as `networkOf` returns it. */
  readonly network: string;
  /** How long a failed attempt is included in the count, in milliseconds. */
  readonly windowMs: number;
  /** Maximum number of failed and pending attempts for the name from this network. */
  readonly maxPerName: number;
  /** Maximum number of failed and pending attempts from this network, for all names together. */
  readonly maxPerNetwork: number;
}

/**
 * The login attempts of all processes that share the database. The counts are exact even when
 * attempts are made concurrently.
 */
export interface LoginTries {
  /**
   * Records a pending attempt and returns its id, if the limits of `attempt` and `overallLimit`
   * allow one more. Otherwise returns the number of milliseconds until another attempt may be
   * allowed. That number is 0 when only pending attempts fill the limit. Throws busy().
   */
  begin(attempt: LoginTry): Promise<{ id: number } | { freeInMs: number }>;
  /** Records that a pending attempt failed; never delays or fails the caller. */
  recordFailure(id: number): void;
  /**
   * Records that an attempt succeeded. Earlier failures for the attempt's name from its network no
   * longer count for the name.
   */
  clear(id: number): Promise<void>;
  /** Removes an attempt that neither failed nor succeeded, so that the attempt does not count. */
  forget(id: number): Promise<void>;
}

/** Hashes passwords, and checks passwords against hashes. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /**
   * Takes as long as `verify`. Called for a name that does not exist, so that the duration does not
   * reveal which names exist.
   */
  verifyDummy(password: string): Promise<void>;
}
