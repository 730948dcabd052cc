import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { platformKey } from '../../core/imports/platform.ts';
import { wantedTags } from '../../core/shared/names/kind-bits.ts';
import type { MetadataColumn } from '../../core/shared/release-fields.ts';
import {
  type ReleaseField,
  type RuleCondition,
  type SelectedSet,
  valuesOf,
} from '../../core/shared/release-rule.ts';
import { lowerAscii } from '../../core/shared/text.ts';
import type { Database } from '../engine/engine.ts';
import {
  type Condition,
  hasRegion,
  isAmongMany,
  isOwned,
  ownedReleases,
} from '../releases/release-conditions.ts';
import { fewHits, searchText } from '../releases/release-text-conditions.ts';
import type { TrigramShares } from '../releases/trigram-sample.ts';
import { allOf, anyOf, unionOf } from './combined-conditions.ts';

/** The values that conditions of a rule depend on, in addition to their own values. */
export interface RuleContext extends Pick<SelectedSet, 'today'> {
  readonly db: Database;
  readonly shares: TrigramShares;
  /** The ids of the releases with a cover. */
  readonly coveredIds: readonly number[];
}

/** The SQL of the conditions on one field. A condition is true or false, never null. */
interface FieldSql {
  /** Returns the condition on a row of `release`. */
  row(condition: RuleCondition, context: RuleContext): Condition;
  /**
   * Returns the query with a column `id` for the releases that meet the condition. Missing or null
   * if there is no query that is faster than checking releases.
   */
  readonly hits?: (condition: RuleCondition, context: RuleContext) => RawBuilder<unknown> | null;
}

/** The SQL of each field of a rule. */
export const fieldSql: Readonly<Record<ReleaseField, FieldSql>> = {
  system: {
    // The added text prevents the planner from using the index on systems. This index would return
    // the releases in an order other than that of the list.
    row: (condition, { db }) => sql`release.system || '' IN ${db.dialect.list(texts(condition))}`,
  },
  platform: {
    row: (condition, { db }) => {
      const keys = db.dialect.list(texts(condition).map(platformKey));
      return sql`(release.platform_id IS NOT NULL
        AND release.platform_id IN (SELECT id FROM platform WHERE key IN ${keys}))`;
    },
  },
  region: {
    row: (condition, { db }) =>
      anyOf(texts(condition).map((region) => hasRegion(db, sql.val(region.trim())))),
  },
  language: {
    row: (condition, { db }) => anyOf(texts(condition).map((code) => hasLanguage(db, code))),
  },
  tag: {
    row: (condition, { db }) => hasTag(db, texts(condition)),
  },
  genre: ofMetadata('genre'),
  developer: ofMetadata('developer'),
  publisher: ofMetadata('publisher'),
  franchise: ofMetadata('franchise'),
  year: fromTable('release_meta', (condition, { db }) => {
    const year = sql`substr(release_meta.release_date, 1, 4)`;
    const { from = 0, to = 9_999 } = condition;
    const isRange = condition.from !== undefined || condition.to !== undefined;
    return isRange
      ? sql`${year} >= ${yearText(from)} AND ${year} <= ${yearText(to)}`
      : sql`${year} IN ${db.dialect.list(valuesOf(condition).map((value) => yearText(+value)))}`;
  }),
  search: {
    row: ({ contains = '' }, { db, shares }) => searchText(db, contains, shares).rowCondition,
  },
  library: {
    row: (condition) => anyOf(texts(condition).map((state) => libraryConditions[state] ?? none)),
    hits: (condition) => unionOf(texts(condition).map((state) => libraryHits[state] ?? null)),
  },
  cover: {
    row: (condition, { db, coveredIds }) => {
      const isCovered = isAmongMany(db, coveredIds);
      const has = new Set(texts(condition).map((state) => state === 'have'));
      if (has.size !== 1) return has.size === 0 ? none : sql`true`;
      return has.has(true) ? isCovered : sql`(NOT ${isCovered})`;
    },
    // There is no query for releases without a cover, because most releases may lack a cover. If
    // there are many covers, there is no query either. Their number is known, so the hits need not
    // be counted.
    hits: (condition, { db, coveredIds }) =>
      coveredIds.length <= fewHits &&
      new Set(texts(condition)).size === 1 &&
      texts(condition)[0] === 'have'
        ? sql`SELECT value AS id FROM ${db.dialect.list(coveredIds, 'integer')} AS covered`
        : null,
  },
  added_days: fromTable('library_file', ({ from, to }, { today }) => {
    const added = sql`library_file.added_at`;
    const conditions = [
      sql<SqlBool>`library_file.release_id IS NOT NULL`,
      ...(to === undefined ? [] : [sql<SqlBool>`${added} >= ${daysBefore(today, to)}`]),
      ...(from === undefined ? [] : [sql<SqlBool>`${added} < ${daysBefore(today, from - 1)}`]),
    ];
    return allOf(conditions);
  }),
  release_ids: {
    row: (condition, { db }) => sql`release.id IN ${idsOf(db, condition)}`,
    hits: (condition, { db }) => sql`SELECT value AS id FROM ${idsOf(db, condition)} AS listed`,
  },
};

const none = sql<SqlBool>`false`;
const verified = sql`method IN ('sha1', 'md5', 'crc32')`;
const libraryConditions: Readonly<Record<string, Condition>> = {
  have: isOwned,
  verified: sql<SqlBool>`EXISTS (SELECT 1 FROM library_file
    WHERE library_file.release_id = release.id AND ${verified})`,
  missing: sql<SqlBool>`NOT ${isOwned}`,
};
/**
 * The queries for each state. There is no query for `missing`, because most releases may be
 * missing.
 */
const libraryHits: Readonly<Record<string, RawBuilder<unknown>>> = {
  have: ownedReleases,
  verified: sql`${ownedReleases} AND ${verified}`,
};

/** Returns the SQL for a field that is a column of the metadata. Ignores the case of A to Z. */
function ofMetadata(column: MetadataColumn): FieldSql {
  return fromTable('release_meta', (condition, { db }) => {
    const { lower, contains, list } = db.dialect;
    const text = lower(sql.ref(`release_meta.${column}`));
    return condition.contains === undefined
      ? sql`${text} IN ${list(texts(condition).map(lowerAscii))}`
      : contains(text, lowerAscii(condition.contains));
  });
}

/** Returns the SQL for a field of a table with a column `release_id`. */
function fromTable(
  table: 'release_meta' | 'library_file',
  matches: (condition: RuleCondition, context: RuleContext) => Expression<SqlBool>,
): FieldSql {
  const id = sql.ref(`${table}.release_id`);
  const from = sql.table(table);
  return {
    row: (condition, context) => sql`EXISTS (SELECT 1 FROM ${from}
      WHERE ${id} = release.id AND ${matches(condition, context)})`,
    hits: (condition, context) => sql`SELECT ${id} AS id FROM ${from}
      WHERE ${matches(condition, context)} AND ${context.db.dialect.interruptionPoint(id)}`,
  };
}

/**
 * Returns the condition that the name of a release states a language, as in `(En,Fr)` or `(En+De)`.
 * `En` also matches `En-US`.
 */
function hasLanguage({ dialect }: Database, code: string): Condition {
  const { contains, lower } = dialect;
  const codes = ['(', ')', '+'].reduce(
    (text, mark) => sql`replace(${text}, ${sql.lit(mark)}, ',')`,
    sql`release.name`,
  );
  const wanted = lowerAscii(code);
  return anyOf([`,${wanted},`, `,${wanted}-`].map((part) => contains(lower(codes), part)));
}

/** Returns the condition that the name of a release states one of the tags, such as `(Demo 2)`. */
function hasTag({ dialect }: Database, tags: readonly string[]): Condition {
  const { bits, labels } = wantedTags(tags);
  const name = dialect.lower(sql`release.name`);
  // The LIMIT makes the database compute the text only once instead of once for each label.
  const hasLabel = sql<SqlBool>`EXISTS (SELECT 1 FROM (SELECT ${name} AS compared LIMIT 1) AS named
    ${dialect.joinInOrder} ${dialect.list(labels)} AS label
      ON ${dialect.contains(sql.ref('compared'), sql.ref('value'))})`;
  return anyOf([
    ...(bits === 0 ? [] : [sql<SqlBool>`(release.kinds & ${sql.lit(bits)}) <> 0`]),
    ...(labels.length === 0 ? [] : [hasLabel]),
  ]);
}

function idsOf({ dialect }: Database, condition: RuleCondition) {
  return dialect.list(valuesOf(condition).map(Number), 'integer');
}

const texts = (condition: RuleCondition) => valuesOf(condition).map(String);
const yearText = (year: number) => String(year).padStart(4, '0');

/** Returns the date that is `days` days before `day`. Both dates are texts such as `2026-11-26`. */
function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
