import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { StagedRow } from '../../../core/imports/staged-row.ts';

const kinds = ['name', 'dump_sha1', 'dump_md5', 'dump_crc'] as const;

/**
 * Returns the name and the dump hashes of a refused row. These keys identify the releases that the
 * row may describe.
 */
export function refusedKeysOf({ name, dump }: StagedRow): { kind: string; key: string }[] {
  const texts = { name, dump_sha1: dump.sha1, dump_md5: dump.md5, dump_crc: dump.crc };
  return kinds.map((kind) => ({ kind, key: texts[kind] })).filter(({ key }) => key !== '');
}

/**
 * Returns the condition that a refused row of the file has the same name or dump hash as a
 * `source_row`. `own` is the alias of the `source_row`.
 */
export function isRefused(own: string): RawBuilder<SqlBool> {
  const found = kinds.map(
    (kind) => sql`EXISTS (SELECT 1 FROM ${sql.table('refused_key')} AS refused
      WHERE refused.kind = ${sql.lit(kind)} AND refused.key = ${sql.ref(`${own}.${kind}`)})`,
  );
  return sql<SqlBool>`(${sql.join(found, sql` OR `)})`;
}
