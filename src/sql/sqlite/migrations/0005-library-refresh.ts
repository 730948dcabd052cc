const counted = 'BEGIN UPDATE library_version SET number = number + 1; END';

export const libraryRefresh = {
  name: '0005-library-refresh',
  statements: [
    // Counts the visible changes of the library by all writers. A cached list is valid while the
    // number is unchanged.
    'CREATE TABLE library_version (number INTEGER NOT NULL) STRICT',
    'INSERT INTO library_version VALUES (0)',
    `CREATE TRIGGER library_file_added AFTER INSERT ON library_file ${counted}`,
    `CREATE TRIGGER library_file_changed AFTER UPDATE ON library_file ${counted}`,
    `CREATE TRIGGER library_file_removed AFTER DELETE ON library_file ${counted}`,
    `CREATE TRIGGER library_root_changed AFTER UPDATE OF system ON library_root
      WHEN old.system <> new.system ${counted}`,
    'CREATE INDEX library_file_by_method ON library_file (root_id, method)',
    `CREATE INDEX audit_of_release_edits ON audit (id) WHERE action = 'release.edit'`,
  ],
};
