import type { Actor } from '../shared/requests/actor.ts';
import type { Viewer } from '../shared/requests/viewer.ts';
import type { Device } from './device.ts';

export interface NewDevice extends Pick<Device, 'ownerId' | 'name' | 'setId' | 'profile'> {
  /** SHA-256 of the secret, lower-case hexadecimal. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** A page of a list: up to `limit` items, starting at the 0-based position `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A read of a file by a device. */
export interface DeviceRead {
  readonly device: Pick<Device, 'id' | 'ownerId'>;
  /** Path of the file below the address of the device. */
  readonly path: string;
  /** Name and size of the file, and the system under which its downloads are listed. */
  readonly name: string;
  readonly system: string;
  readonly bytes: number;
  readonly at: string;
  /** Identifies the device, the file and the hour. Reads with the same key are one event. */
  readonly key: string;
}

/**
 * The devices in the database. Each write by an actor is one transaction, which also records the
 * actor in the audit. It throws `not authenticated` or `forbidden` when the actor no longer has the
 * right to write.
 */
export interface DeviceRecords {
  /** True if finding the same device again requires another database query. */
  readonly requiresQuery: boolean;
  /** Returns the devices of a user, newest first; all devices if `page` is missing. */
  list(ownerId: number, page?: Page): Promise<Device[]>;
  /**
   * Returns the device with this hash. Returns null if there is none, or if its owner is not active
   * or does not see the set.
   */
  findLive(hash: string): Promise<Device | null>;
  /**
   * Stores a device and returns its id. Throws `not found` if the owner does not see the set, and
   * `too many devices`.
   */
  create(device: NewDevice, actor: Actor): Promise<number>;
  /** Deletes a device. Does nothing if the user has no such device. */
  remove(ownerId: number, id: number, actor: Actor): Promise<void>;
  /** Records that a device used its address, as a deferred write. */
  recordUse(id: number, at: string): void;
  /** Records a use and an event of the kind `stream`, as a deferred write. */
  recordRead(read: DeviceRead): void;
}

/** Limits failed attempts; see `LoginThrottle`. */
export interface FailedAttempts {
  attempt<T>(name: string, address: string, run: () => Promise<T | null>): Promise<T | null>;
}

/** The sets that devices read. */
export interface DeviceSets {
  /**
   * Returns a set that the viewer sees. Throws `not found`, or `not authenticated` if the set was
   * deleted together with the account of the actor.
   */
  getForWrite(id: number, viewer: Viewer, actor: Actor): Promise<{ readonly id: number }>;
}

/** The profiles whose layouts devices read. */
export interface DeviceProfiles {
  /** Returns a profile. Throws `no such profile`. */
  get(id: string): { readonly id: string };
}
