/**
 * Adds the host that owns a library root, if several hosts use the database; "" if no host owns it.
 */
export const rootHost = {
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host TEXT NOT NULL DEFAULT ''`],
};
