/** The host that owns a library root, where several hosts share a database; "" for none. */
export const rootHost = {
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host TEXT NOT NULL DEFAULT ''`],
};
