export const filesReadAgain = {
  name: '0009-files-read-again',
  statements: [
    // A failure to store the hashes of a file was once recorded as a problem of the file itself
    // ("busy"), replacing its known data. Problems reported by image readers begin with one of
    // these words. No file has the time -1, so the next scan treats these files as changed.
    `UPDATE library_file SET mtime_ns = -1, identity = json_set(identity, '$.problem', NULL)
      WHERE identity ->> 'problem' IS NOT NULL
        AND identity ->> 'problem' NOT GLOB 'it *'
        AND identity ->> 'problem' NOT GLOB 'its *'
        AND identity ->> 'problem' NOT GLOB 'the zip cannot be read: *'`,
  ],
};
