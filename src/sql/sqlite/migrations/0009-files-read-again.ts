export const filesReadAgain = {
  name: '0009-files-read-again',
  statements: [
    // Makes the next scan read some files again. If storing the hashes of a file failed, an earlier
    // version recorded the failure ("busy") as a problem of the file and overwrote its data. Real
    // problems of files begin with one of the words below. No file has the time -1, so the next
    // scan treats the selected files as changed.
    `UPDATE library_file SET mtime_ns = -1, identity = json_set(identity, '$.problem', NULL)
      WHERE identity ->> 'problem' IS NOT NULL
        AND identity ->> 'problem' NOT GLOB 'it *'
        AND identity ->> 'problem' NOT GLOB 'its *'
        AND identity ->> 'problem' NOT GLOB 'the zip cannot be read: *'`,
  ],
};
