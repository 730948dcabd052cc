export const importVersion = {
  name: '0011-import-version',
  statements: [
    // One row. The transactions that begin and end an import all write it, so that they come one after the other.
    'CREATE TABLE import_version (number INTEGER NOT NULL) STRICT',
    'INSERT INTO import_version (number) VALUES (0)',
  ],
};
