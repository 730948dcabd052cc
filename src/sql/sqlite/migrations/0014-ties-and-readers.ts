export const tiesAndReaders = {
  name: '0014-ties-and-readers',
  statements: [
    'ALTER TABLE library_file ADD COLUMN tied TEXT',
    `UPDATE library_file SET identity = json_set(identity, '$.edition',
      json('{"disc":null,"revision":null,"version":null,"areas":[]}'))`,
    // Files that were scanned earlier get an empty reader name. The next scan therefore reads their
    // headers again.
    `ALTER TABLE library_file ADD COLUMN reader TEXT NOT NULL DEFAULT ''`,
    'CREATE INDEX library_file_by_reader ON library_file (root_id, reader)',
  ],
};
