import { type SqlBool, sql } from 'kysely';
import type { NewSet, Page, SetChange, SetRecords } from '../../core/sets/ports.ts';
import { maxSetsPerUser, type StoredSet } from '../../core/sets/set.ts';
import type { Clock } from '../../core/shared/clock.ts';
import { forbidden, setExists, tooManySets } from '../../core/shared/errors.ts';
import type { Preference } from '../../core/shared/groups/choose.ts';
import type { Rule } from '../../core/shared/release-rule.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import type { Viewer } from '../../core/shared/requests/viewer.ts';
import { precheckRight, writeAccountsAs } from '../accounts/write-as.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { UniqueViolation } from '../engine/unique-violation.ts';

/**
 * Stores sets in SQL. Writes take the lock of the accounts, so that concurrent writes cannot exceed
 * the limits of a user.
 */
export class SqlSetRecords implements SetRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async checkRight(actor: Actor): Promise<void> {
    await precheckRight(this.#engine.read, actor, this.#clock.timestamp());
  }

  async list(viewer: Viewer, page?: Page): Promise<StoredSet[]> {
    let query = selectSets(this.#engine.read, viewer)
      .orderBy('release_set.name')
      .orderBy('release_set.id');
    if (page !== undefined) query = query.limit(page.limit).offset(page.offset);
    return (await query.execute()).map(toSet);
  }

  async find(id: number, viewer: Viewer): Promise<StoredSet | null> {
    return findSet(this.#engine.read, id, viewer);
  }

  async listByName(name: string, viewer: Viewer): Promise<StoredSet[]> {
    const rows = await selectSets(this.#engine.read, viewer)
      .where('release_set.name', '=', name)
      .orderBy('release_set.id')
      .execute();
    const isOwn = ({ ownerId }: StoredSet) => viewer !== 'everybody' && ownerId === viewer.userId;
    return rows.map(toSet).toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  }

  async listByIds(ids: readonly number[], viewer: Viewer): Promise<StoredSet[]> {
    const db = this.#engine.read;
    const rows = await selectSets(db, viewer)
      .where(sql<SqlBool>`release_set.id IN ${db.dialect.list(ids, 'integer')}`)
      .execute();
    return rows.map(toSet);
  }

  create({ name, ownerId, isShared, rule, prefer }: NewSet, actor: Actor): Promise<number> {
    const at = this.#clock.timestamp();
    return this.#writeNames(actor, at, async (trx, author) => {
      await checkLimitAndName(trx, ownerId, name);
      const { id } = await trx
        .insertInto('release_set')
        .values({
          name,
          owner_id: ownerId,
          shared: isShared,
          rule: JSON.stringify(rule),
          prefer: toJson(prefer),
          created_at: at,
          updated_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await recordAudit(trx, at, author, 'set.create', `set/${id}`, { name, shared: isShared });
      return id;
    });
  }

  update(id: number, change: SetChange, viewer: Viewer, actor: Actor): Promise<boolean> {
    const at = this.#clock.timestamp();
    return this.#writeNames(actor, at, async (trx, author) => {
      const set = await findWritable(trx, id, viewer, author);
      if (set === null) return false;
      const { name = set.name, isShared = set.isShared, rule = set.rule } = change;
      const { prefer = set.prefer } = change;
      if (set.ownerId === null && name !== set.name) await checkLimitAndName(trx, null, name);
      await trx
        .updateTable('release_set')
        .set({ name, shared: isShared, rule: JSON.stringify(rule), prefer: toJson(prefer) })
        .set({ updated_at: at })
        .where('id', '=', id)
        .execute();
      await recordAudit(trx, at, author, 'set.update', `set/${id}`, {
        ...(name !== set.name && { name }),
        ...(isShared !== set.isShared && { shared: isShared }),
        ...(change.rule !== undefined && { rule: 'changed' }),
        ...(change.prefer !== undefined && { prefer: 'changed' }),
      });
      return true;
    });
  }

  remove(id: number, viewer: Viewer, actor: Actor): Promise<boolean> {
    const at = this.#clock.timestamp();
    return this.#writeNames(actor, at, async (trx, author) => {
      const set = await findWritable(trx, id, viewer, author);
      if (set === null) return false;
      await trx.deleteFrom('release_set').where('id', '=', id).execute();
      await recordAudit(trx, at, author, 'set.delete', `set/${id}`, { name: set.name });
      return true;
    });
  }

  async #writeNames<R>(
    actor: Actor,
    at: string,
    work: Parameters<typeof writeAccountsAs<R>>[2],
  ): Promise<R> {
    try {
      return await writeAccountsAs(this.#engine, { actor, at }, work);
    } catch (error) {
      throw error instanceof UniqueViolation ? setExists() : error;
    }
  }
}

function selectSets(db: Database, viewer: Viewer) {
  return db
    .selectFrom('release_set')
    .leftJoin('user', 'user.id', 'release_set.owner_id')
    .select(['release_set.id', 'release_set.name', 'release_set.owner_id', 'release_set.shared'])
    .select(['release_set.rule', 'release_set.prefer', 'user.username as owner'])
    .$if(viewer !== 'everybody', (query) =>
      query.where((is) =>
        is.or([
          is('release_set.shared', '=', true),
          is('release_set.owner_id', '=', viewer === 'everybody' ? null : viewer.userId),
        ]),
      ),
    );
}

type SetRow = Awaited<ReturnType<ReturnType<typeof selectSets>['executeTakeFirstOrThrow']>>;

function toSet({ id, name, owner_id, shared, owner, ...row }: SetRow): StoredSet {
  const prefer = row.prefer === null ? null : (JSON.parse(row.prefer) as Preference);
  const rule = JSON.parse(row.rule) as Rule;
  return { id, name, ownerId: owner_id, owner, isShared: shared, rule, prefer };
}

function toJson(prefer: Preference | null): string | null {
  return prefer === null ? null : JSON.stringify(prefer);
}

async function findSet(db: Database, id: number, viewer: Viewer): Promise<StoredSet | null> {
  const row = await selectSets(db, viewer).where('release_set.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toSet(row);
}

/**
 * Returns the set to change. Returns null if the viewer does not see the set. Throws `forbidden` if
 * the set is shared and the right of the actor is only that of the role `user`.
 */
async function findWritable(
  trx: Database,
  id: number,
  viewer: Viewer,
  actor: Actor,
): Promise<StoredSet | null> {
  const set = await findSet(trx, id, viewer);
  const isOnlyUser = actor.kind === 'user' && actor.right?.role === 'user';
  if (set?.isShared && isOnlyUser) throw forbidden();
  return set;
}

/**
 * Throws `too many sets` if a user has as many sets as allowed. If `ownerId` is null, throws `set
 * already exists` if another set without an owner has the name. For the sets of users, a unique key
 * prevents duplicates.
 */
async function checkLimitAndName(
  trx: Database,
  ownerId: number | null,
  name: string,
): Promise<void> {
  const sets = trx.selectFrom('release_set').select('id');
  if (ownerId === null) {
    const same = await sets
      .where('owner_id', 'is', null)
      .where('name', '=', name)
      .executeTakeFirst();
    if (same !== undefined) throw setExists();
    return;
  }
  const own = await sets.where('owner_id', '=', ownerId).execute();
  if (own.length >= maxSetsPerUser) throw tooManySets();
}
