import { LRUCache } from 'lru-cache';
import { type Device, maxDevicesPerUser } from '../../core/devices/device.ts';
import type { DeviceRead, DeviceRecords, NewDevice, Page } from '../../core/devices/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import { notFound, tooManyDevices } from '../../core/shared/errors.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { type PartRevision, presentRevision } from '../../core/shared/requests/part-revision.ts';
import { writeAccountsAs } from '../accounts/write-as.ts';
import { recordAudit } from '../audit/audit.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Database, Engine } from '../engine/engine.ts';

/** Maximum number of cached devices. */
const maxCached = 1_000;

/**
 * Stores devices in SQL. Creating and removing devices take the lock of the accounts, so these
 * writes run one at a time.
 */
export class SqlDeviceRecords implements DeviceRecords {
  readonly #engine: Engine;
  readonly #deferredWrites: DeferredWrites;
  readonly #clock: Clock;
  readonly #revision: PartRevision;
  /** Live devices by hash. An entry is valid for one revision of the accounts. */
  readonly #cache = new LRUCache<string, { revision: number; device: Device }>({ max: maxCached });

  /** `revision` is the revision of the accounts. */
  constructor(parts: {
    engine: Engine;
    deferredWrites: DeferredWrites;
    clock: Clock;
    revision: PartRevision;
  }) {
    this.#engine = parts.engine;
    this.#deferredWrites = parts.deferredWrites;
    this.#clock = parts.clock;
    this.#revision = parts.revision;
  }

  get requiresQuery(): boolean {
    return this.#revision.requiresQuery;
  }

  async list(ownerId: number, page?: Page): Promise<Device[]> {
    await this.#deferredWrites.flush();
    let query = selectDevices(this.#engine.read)
      .where('device.owner_id', '=', ownerId)
      .orderBy('device.id', 'desc');
    if (page !== undefined) query = query.limit(page.limit).offset(page.offset);
    return (await query.execute()).map(toDevice);
  }

  async findLive(hash: string): Promise<Device | null> {
    // Reads the revision first, so that the device is of this revision or of a later one.
    const revision = await presentRevision(this.#revision);
    const cached = this.#cache.get(hash);
    if (cached?.revision === revision) return cached.device;
    const row = await selectDevices(this.#engine.read)
      .innerJoin('user', 'user.id', 'device.owner_id')
      .where('device.hash', '=', hash)
      .where('user.is_active', '=', true)
      .where((is) =>
        is.or([
          is('release_set.shared', '=', true),
          is('release_set.owner_id', '=', is.ref('device.owner_id')),
        ]),
      )
      .executeTakeFirst();
    if (row === undefined) return null;
    const device = toDevice(row);
    this.#cache.set(hash, { revision, device });
    return device;
  }

  create(device: NewDevice, actor: Actor): Promise<number> {
    const at = device.createdAt;
    return writeAccountsAs(this.#engine, { actor, at }, async (trx, author) => {
      await checkSet(trx, device);
      await checkDeviceLimit(trx, device.ownerId);
      const { ownerId, name, setId, profile, hash, createdAt, expiresAt } = device;
      const { id } = await trx
        .insertInto('device')
        .values({
          ...{ owner_id: ownerId, name, set_id: setId, profile, hash },
          ...{ created_at: createdAt, expires_at: expiresAt },
          ...{ last_used_at: null, last_file: null, last_file_at: null },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const detail = { name, set: setId, profile, expiresAt };
      await recordAudit(trx, at, author, 'device.create', `device/${id}`, detail);
      return id;
    });
  }

  remove(ownerId: number, id: number, actor: Actor): Promise<void> {
    const at = this.#clock.timestamp();
    return writeAccountsAs(this.#engine, { actor, at }, async (trx, author) => {
      const removed = await trx
        .deleteFrom('device')
        .where('id', '=', id)
        .where('owner_id', '=', ownerId)
        .returning('name')
        .executeTakeFirst();
      if (removed === undefined) return;
      await recordAudit(trx, at, author, 'device.revoke', `device/${id}`, { name: removed.name });
    });
  }

  recordUse(id: number, at: string): void {
    this.#deferredWrites.add(async (trx) => {
      await trx.updateTable('device').set({ last_used_at: at }).where('id', '=', id).execute();
    });
  }

  recordRead({ device, path, name, system, bytes, at, key }: DeviceRead): void {
    const use = { last_used_at: at, last_file: path, last_file_at: at };
    const event = { user_id: device.ownerId, area: system, name, bytes, created_at: at };
    this.#deferredWrites.add(async (trx) => {
      await trx.updateTable('device').set(use).where('id', '=', device.id).execute();
      await trx
        .insertInto('download_event')
        .values({ ...event, kind: 'stream', stream_key: key })
        .onConflict((on) => on.doNothing())
        .execute();
    });
  }
}

function selectDevices(db: Database) {
  return db
    .selectFrom('device')
    .innerJoin('release_set', 'release_set.id', 'device.set_id')
    .select(['device.id', 'device.owner_id', 'device.name', 'device.set_id', 'device.profile'])
    .select(['device.created_at', 'device.expires_at', 'device.last_used_at'])
    .select(['device.last_file', 'device.last_file_at', 'release_set.name as set_name']);
}

type DeviceRow = Awaited<ReturnType<ReturnType<typeof selectDevices>['executeTakeFirstOrThrow']>>;

function toDevice(row: DeviceRow): Device {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    setId: row.set_id,
    setName: row.set_name,
    profile: row.profile,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastFile: row.last_file,
    lastFileAt: row.last_file_at,
  };
}

/** Throws `not found` if the set does not exist, or if the owner of the device does not see it. */
async function checkSet(trx: Database, { ownerId, setId }: NewDevice): Promise<void> {
  const set = await trx
    .selectFrom('release_set')
    .select('id')
    .where('id', '=', setId)
    .where((is) => is.or([is('shared', '=', true), is('owner_id', '=', ownerId)]))
    .executeTakeFirst();
  if (set === undefined) throw notFound();
}

/** Throws `too many devices` if a user has as many devices as allowed. */
async function checkDeviceLimit(trx: Database, ownerId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('device')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (count >= maxDevicesPerUser) throw tooManyDevices();
}
