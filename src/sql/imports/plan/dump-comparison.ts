import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * One way to compare the dump of a staged row, aliased as `row_of_dat`, with the dump of a release,
 * aliased as `known`.
 */
export interface DumpComparison {
  /**
   * The column that must be non-empty and equal in the staged row and the release. Null if no dump
   * hash has to be equal.
   */
  readonly key: 'dump_sha1' | 'dump_md5' | 'dump_crc' | null;
  /** A further condition on the two rows. */
  readonly and: RawBuilder<SqlBool>;
}

const oneLacks = (column: string) => {
  return sql<SqlBool>`(${sql.ref(`row_of_dat.${column}`)} = '' OR ${sql.ref(`known.${column}`)} = '')`;
};

/** Compares by SHA-1. */
export const bySha1: DumpComparison = { key: 'dump_sha1', and: sql`true` };

/**
 * Compares by the strongest hash that the staged row and the release both have: SHA-1, then MD5,
 * then CRC-32 with the size.
 */
export const byDump: readonly DumpComparison[] = [
  bySha1,
  { key: 'dump_md5', and: oneLacks('dump_sha1') },
  { key: 'dump_crc', and: sql`${oneLacks('dump_sha1')} AND ${oneLacks('dump_md5')}` },
];

/** Compares only the names and ignores the dumps. */
export const byNameAlone: DumpComparison = { key: null, and: sql`true` };

/** Requires that neither the staged row nor the release has any hash. */
export const withoutDump: DumpComparison = {
  key: null,
  and: sql`row_of_dat.dump_sha1 || row_of_dat.dump_md5 || row_of_dat.dump_crc = ''
    AND known.dump_sha1 || known.dump_md5 || known.dump_crc = ''`,
};

/** The columns that the comparisons read. */
export const comparedColumns = ['name', 'dump_sha1', 'dump_md5', 'dump_crc'] as const;
