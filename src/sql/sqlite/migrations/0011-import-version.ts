export const importVersion = {
  name: '0011-import-version',
  statements: [
    // One row. Each transaction that begins or ends an import writes this row, so that these
    // transactions run one at a time.
    'CREATE TABLE import_version (number INTEGER NOT NULL) STRICT',
    'INSERT INTO import_version (number) VALUES (0)',
  ],
};
