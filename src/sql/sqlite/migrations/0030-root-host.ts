/** The host that a library root belongs to, where several share a database; "" for nobody. */
export const rootHost = {
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host TEXT NOT NULL DEFAULT ''`],
};
