export const importVersion = {
  name: '0011-import-version',
  statements: [
    // One row. All transactions that begin or end an import write it, so that they run one at a
    // time.
    'CREATE TABLE import_version (number INTEGER NOT NULL) STRICT',
    'INSERT INTO import_version (number) VALUES (0)',
  ],
};
