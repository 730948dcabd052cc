export const sets = {
  name: '0016-sets',
  statements: [
    'ALTER TABLE library_file ADD COLUMN sheet TEXT',
    'ALTER TABLE library_file ADD COLUMN set_key TEXT',
    `UPDATE library_file SET identity = json_set(identity, '$.sheet', json('[]'))`,
    'CREATE INDEX library_file_sheets ON library_file (root_id, path) WHERE sheet IS NOT NULL',
    'CREATE INDEX library_file_by_set ON library_file (root_id, set_key) WHERE set_key IS NOT NULL',
  ],
};
