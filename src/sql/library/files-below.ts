import { sql } from 'kysely';
import type { LibraryRoot } from '../../core/library/library-file.ts';
import type { Database } from '../engine/engine.ts';

/** Returns a query for the files of some library roots. */
export function filesBelow(db: Database, roots: readonly LibraryRoot[]) {
  const paths = db.dialect.list(roots.map((root) => root.path));
  return db
    .selectFrom('library_file')
    .innerJoin('library_root', 'library_root.id', 'library_file.root_id')
    .where(sql<boolean>`library_root.path IN ${paths}`);
}
