import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../shared/clock.ts';
import { notFound } from '../shared/errors.ts';
import { expiryAfter } from '../shared/expiry-after.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { checkedDeviceName, type Device, isUnexpired } from './device.ts';
import type {
  DeviceProfiles,
  DeviceRead,
  DeviceRecords,
  DeviceSets,
  FailedAttempts,
  Page,
} from './ports.ts';

/** A device that was just created. Its secret is available only here. */
export interface IssuedDevice {
  readonly device: Device;
  readonly secret: string;
}

/** Minimum time between two records of the use of a device or file, in milliseconds. */
const recordEveryMs = 60_000;
/** Maximum number of entries in `#recorded`. */
const maxRemembered = 10_000;
/**
 * The name under which wrong secrets count as failed logins. No user can have it, because it
 * contains a control character.
 */
const failuresName = '\u0001device';
/** Matches a secret: 32 bytes in base64url. */
const secretForm = /^[\w-]{43}$/;

/** Manages devices that read the files of a set at an address with a secret. */
export class Devices {
  readonly #records: DeviceRecords;
  readonly #sets: DeviceSets;
  readonly #profiles: DeviceProfiles;
  readonly #failures: FailedAttempts;
  readonly #clock: Clock;
  /** The times when the use of a device or file was recorded, oldest first. */
  readonly #recorded = new Map<string, number>();

  constructor(parts: {
    records: DeviceRecords;
    sets: DeviceSets;
    profiles: DeviceProfiles;
    failures: FailedAttempts;
    clock: Clock;
  }) {
    this.#records = parts.records;
    this.#sets = parts.sets;
    this.#profiles = parts.profiles;
    this.#failures = parts.failures;
    this.#clock = parts.clock;
  }

  /** True if finding the same device again requires another database query. */
  get requiresQuery(): boolean {
    return this.#records.requiresQuery;
  }

  /** Returns the devices of a user, newest first. */
  list(ownerId: number, page?: Page): Promise<Device[]> {
    return this.#records.list(ownerId, page);
  }

  /**
   * Creates a device with a new secret. If `days` is 0, the address does not expire. Throws a 422
   * for the name, `not found` for a set that the owner does not see, `no such profile`, and
   * `too many devices`.
   */
  async create(
    request: { ownerId: number; name: string; setId: number; profile: string; days: number },
    actor: Actor,
  ): Promise<IssuedDevice> {
    const { ownerId, setId, profile, days } = request;
    const name = checkedDeviceName(request.name);
    await this.#sets.getForWrite(setId, { userId: ownerId }, actor);
    this.#profiles.get(profile);
    const secret = randomBytes(32).toString('base64url');
    const id = await this.#records.create(
      {
        ...{ ownerId, name, setId, profile, hash: secretHash(secret) },
        createdAt: this.#clock.timestamp(),
        expiresAt: expiryAfter(days, this.#clock.now()),
      },
      actor,
    );
    const device = (await this.list(ownerId)).find((each) => each.id === id);
    if (device === undefined) throw notFound(); // the device was revoked meanwhile
    return { device, secret };
  }

  /** Deletes a device, so that its address is not found any more. */
  revoke(ownerId: number, id: number, actor: Actor): Promise<void> {
    return this.#records.remove(ownerId, id, actor);
  }

  /**
   * Returns the device with this secret. Throws `not found` if there is none, if its address has
   * expired, or if its owner is not active. This counts as a failed login from the address. Throws
   * `too many attempts` after too many of them.
   */
  async authenticate(secret: string, address: string): Promise<Device> {
    const device = await this.find(secret);
    if (device !== null) return device;
    await this.#failures.attempt(failuresName, address, async () => null);
    throw notFound();
  }

  /**
   * Works like `authenticate`, but returns null instead of throwing, and counts no failed logins.
   */
  async find(secret: string): Promise<Device | null> {
    if (!secretForm.test(secret)) return null;
    const device = await this.#records.findLive(secretHash(secret));
    return device !== null && isUnexpired(device, this.#clock.now()) ? device : null;
  }

  /** Records that a device listed a folder, at most once a minute. */
  recordUse({ id }: Device): void {
    if (this.#mayRecord(`${id}`)) this.#records.recordUse(id, this.#clock.timestamp());
  }

  /**
   * Records that a device read a part of a file, at most once a minute. All reads of a file within
   * an hour are one event.
   */
  recordRead(device: Device, file: Pick<DeviceRead, 'path' | 'name' | 'system' | 'bytes'>): void {
    if (!this.#mayRecord(`${device.id} ${file.path}`)) return;
    const at = this.#clock.timestamp();
    const hour = at.slice(0, 13);
    const key = hash('sha256', JSON.stringify([device.id, hour, file.path]));
    this.#records.recordRead({ device, ...file, at, key });
  }

  /** Returns true if nothing was recorded under this key for a while, and records the key. */
  #mayRecord(key: string): boolean {
    const now = this.#clock.monotonic();
    const last = this.#recorded.get(key);
    if (last !== undefined && now - last < recordEveryMs) return false;
    this.#recorded.delete(key);
    this.#recorded.set(key, now);
    const [oldest] = this.#recorded.keys();
    if (this.#recorded.size > maxRemembered && oldest !== undefined) this.#recorded.delete(oldest);
    return true;
  }
}

/** Returns the form in which a secret is stored: its SHA-256, in lower-case hexadecimal. */
function secretHash(secret: string): string {
  return hash('sha256', secret, 'hex');
}
