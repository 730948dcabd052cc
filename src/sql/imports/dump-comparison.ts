import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** How the dumps of a staged row `row_of_dat` and of a release `known` are compared. */
export interface DumpComparison {
  /** The column that must be set and equal in both; null if dumps do not count. */
  readonly key: 'dump_sha1' | 'dump_md5' | 'dump_crc' | null;
  /** A further condition that must hold. */
  readonly and: RawBuilder<SqlBool>;
}

const oneLacks = (column: string) => {
  return sql<SqlBool>`(${sql.ref(`row_of_dat.${column}`)} = '' OR ${sql.ref(`known.${column}`)} = '')`;
};

/** Compares by SHA-1. */
export const bySha1: DumpComparison = { key: 'dump_sha1', and: sql`true` };

/** Compares by the strongest hash that both have: SHA-1, else MD5, else CRC-32 and size. */
export const byDump: readonly DumpComparison[] = [
  bySha1,
  { key: 'dump_md5', and: oneLacks('dump_sha1') },
  { key: 'dump_crc', and: sql`${oneLacks('dump_sha1')} AND ${oneLacks('dump_md5')}` },
];

/** Ignores the dumps. */
export const byNameAlone: DumpComparison = { key: null, and: sql`true` };

/** Requires that neither has any hash. */
export const withoutDump: DumpComparison = {
  key: null,
  and: sql`row_of_dat.dump_sha1 || row_of_dat.dump_md5 || row_of_dat.dump_crc = ''
    AND known.dump_sha1 || known.dump_md5 || known.dump_crc = ''`,
};

/** The columns that comparisons need. */
export const comparedColumns = ['name', 'dump_sha1', 'dump_md5', 'dump_crc'] as const;
