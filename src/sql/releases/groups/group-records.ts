import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  type GroupRecords,
  maxGroupSize,
  type StoredGroup,
  type StoredGroupRelease,
} from '../../../core/groups/ports.ts';
import type { Clock } from '../../../core/shared/clock.ts';
import { invalidField, notFound } from '../../../core/shared/errors.ts';
import type { Actor } from '../../../core/shared/requests/actor.ts';
import { writeAs } from '../../accounts/write-as.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Database, Engine } from '../../engine/engine.ts';
import { groupKeyOf } from './group-key.ts';

/** A release, locked until the transaction ends, with the data that decides about its group. */
interface Member {
  readonly id: number;
  readonly name: string;
  readonly platform_id: number | null;
  readonly clone_group: string;
  readonly group_key: string;
}

/** Reads the groups of releases, and stores the groups that editors choose. */
export class SqlGroupRecords implements GroupRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async find(releaseId: number): Promise<StoredGroup | null> {
    const { read } = this.#engine;
    // A release without a platform has no other releases in its group.
    const rows = await readGroup(read, releaseId, sql`own.platform_id = release.platform_id`);
    const all = rows.length > 0 ? rows : await readGroup(read, releaseId, sql`own.id = release.id`);
    const [first] = all;
    if (first === undefined) return null;
    const releases = all.map(({ platform: _, edited, content, ...release }) => {
      return { ...release, content: content ?? '', edited: edited === 1 };
    });
    return { platform: first.platform ?? '', releases };
  }

  join(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<void> {
    return this.#write(
      actor,
      async (trx) => {
        const { own, members } = await lockGroup(trx, releaseId);
        const joined = await lockReleases(trx, releaseIds);
        for (const id of releaseIds) {
          const release = joined.get(id);
          if (own.platform_id === null || release?.platform_id !== own.platform_id) {
            throw invalidField('release_ids', `${id} is not a release of this platform`);
          }
        }
        const all = new Map([...members, ...joined]);
        await store(trx, [...all.values()], own.group_key);
        const left = new Set([...joined.values()].map((release) => release.group_key));
        left.delete(own.group_key);
        for (const key of left) {
          const rest = await lockMembers(trx, key, own.platform_id);
          await store(trx, rest, key, { marksNew: false });
        }
        return { action: 'group.join', id: smallest(members) };
      },
      releaseIds,
    );
  }

  split(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<void> {
    return this.#write(
      actor,
      async (trx) => {
        const { own, members } = await lockGroup(trx, releaseId);
        const id = smallest(members);
        const moved: Member[] = [];
        for (const each of new Set(releaseIds)) {
          const release = members.get(each);
          if (release === undefined) {
            throw invalidField('release_ids', `${each} is not a release of this group`);
          }
          moved.push(release);
          members.delete(each);
        }
        if (members.size === 0) {
          throw invalidField('release_ids', 'at least one release must stay in the group');
        }
        await store(trx, [...members.values()], own.group_key, { marksNew: false });
        await store(trx, moved, await keyForSplit(trx, moved, own));
        return { action: 'group.split', id };
      },
      releaseIds,
    );
  }

  async #write(
    actor: Actor,
    work: (trx: Database) => Promise<{ action: 'group.join' | 'group.split'; id: number }>,
    releases: readonly number[],
  ): Promise<void> {
    const at = this.#clock.timestamp();
    await writeAs(this.#engine, { actor, at }, async (trx, author) => {
      const { action, id } = await work(trx);
      await recordAudit(trx, at, author, action, `group/${id}`, { releases });
    });
  }
}

type GroupRow = Omit<StoredGroupRelease, 'edited' | 'content'> & {
  readonly platform: string | null;
  readonly content: string | null;
  readonly edited: 0 | 1;
};

/**
 * SQL for `GroupRelease.content`: the hashes of the first ROM of `release`; null if there is no
 * ROM.
 */
export const firstContent = sql<string | null>`(
  SELECT rom.sha1 || ' ' || rom.md5 || ' ' || rom.crc32 FROM rom
  WHERE rom.release_id = release.id ORDER BY rom.position, rom.id LIMIT 1)`;

async function readGroup(
  read: Database,
  releaseId: number,
  isSame: ReturnType<typeof sql>,
): Promise<readonly GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    SELECT release.id, release.name, release.region, release.serial,
      platform.name AS platform,
      CASE WHEN release.edited_group IS NULL THEN 0 ELSE 1 END AS edited,
      ${firstContent} AS content
    FROM listed_release AS own ${read.dialect.joinInOrder} listed_release AS release
      ON release.group_key = own.group_key AND ${isSame}
    LEFT JOIN platform ON platform.id = release.platform_id
    WHERE own.id = ${releaseId} ORDER BY release.id LIMIT ${maxGroupSize}`.execute(read);
  return rows;
}

/**
 * Locks the releases of a group until the transaction ends. Throws `not found` if the release does
 * not exist.
 */
async function lockGroup(
  trx: Database,
  releaseId: number,
): Promise<{ own: Member; members: Map<number, Member> }> {
  const own = (await lockReleases(trx, [releaseId])).get(releaseId);
  if (own === undefined) throw notFound();
  const rows = await lockMembers(trx, own.group_key, own.platform_id);
  return { own, members: byId([own, ...rows]) };
}

function lockMembers(
  trx: Database,
  key: string,
  platform: number | null,
): Promise<readonly Member[]> {
  return trx
    .selectFrom('listed_release as release')
    .select(memberColumns)
    .where('group_key', '=', key)
    .where('platform_id', '=', platform)
    .orderBy('id')
    .limit(maxGroupSize)
    .modifyEnd(trx.dialect.lockRows)
    .execute();
}

async function lockReleases(trx: Database, ids: readonly number[]): Promise<Map<number, Member>> {
  const rows = await trx
    .selectFrom('listed_release as release')
    .select(memberColumns)
    .where(sql<boolean>`id IN ${trx.dialect.list(ids, 'integer')}`)
    .orderBy('id')
    .modifyEnd(trx.dialect.lockRows)
    .execute();
  return byId(rows);
}

const memberColumns = ['id', 'name', 'platform_id', 'clone_group', 'group_key'] as const;

function byId(members: readonly Member[]): Map<number, Member> {
  return new Map(members.map((member) => [member.id, member]));
}

function smallest(members: ReadonlyMap<number, Member>): number {
  return [...members.keys()].reduce((least, id) => Math.min(least, id));
}

/**
 * Puts releases into the group with this key. If all of them belong there without an edit, removes
 * their edits instead. With `marksNew` set to false, only removes edits and never adds any.
 */
async function store(
  trx: Database,
  members: readonly Member[],
  key: string,
  { marksNew = true } = {},
): Promise<void> {
  const ids = members.map(({ id }) => id);
  const isNatural = members.every((member) => naturalKeyOf(member) === key);
  if (!isNatural && !marksNew) return;
  await trx
    .updateTable('release')
    .set({ edited_group: isNatural ? null : key })
    .where(sql<boolean>`id IN ${trx.dialect.list(ids, 'integer')}`)
    .where('edited_group', isNatural ? 'is not' : 'is distinct from', isNatural ? null : key)
    .execute();
}

/** Returns the key of the group to which a release belongs without an edit. */
function naturalKeyOf({ name, clone_group: stated }: Member): string {
  return stated || groupKeyOf(name);
}

/**
 * Returns the key for releases that leave the group of `own`. If the group to which they belong
 * without an edit has no release, returns the key of that group, so that a split undoes a join.
 * Otherwise returns a new key.
 */
async function keyForSplit(trx: Database, moved: readonly Member[], own: Member): Promise<string> {
  const newKey = `split ${randomUUID()}`;
  const [key = '', ...others] = new Set(moved.map(naturalKeyOf));
  if (others.length > 0 || key === own.group_key) return newKey;
  const found = await trx
    .selectFrom('listed_release')
    .select('id')
    .where('group_key', '=', key)
    .where('platform_id', '=', own.platform_id)
    .limit(1)
    .executeTakeFirst();
  return found === undefined ? key : newKey;
}
