/**
 * Adds the column `host` to library roots, for databases that several hosts use. The column
 * contains the host that owns the root, or "" if no host owns the root.
 */
export const rootHost = {
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host TEXT NOT NULL DEFAULT ''`],
};
