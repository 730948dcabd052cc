export const filesReadAgain = {
  name: '0009-files-read-again',
  statements: [
    // A failure to store the hashes of a file was once kept as the file's own problem ("busy") and took the place of
    // what was known. What readers of images say begins with one of these words. No file has the time -1: the next scan
    // looks at them as at files that changed.
    `UPDATE library_file SET mtime_ns = -1, identity = json_set(identity, '$.problem', NULL)
      WHERE identity ->> 'problem' IS NOT NULL
        AND identity ->> 'problem' NOT GLOB 'it *'
        AND identity ->> 'problem' NOT GLOB 'its *'
        AND identity ->> 'problem' NOT GLOB 'the zip cannot be read: *'`,
  ],
};
