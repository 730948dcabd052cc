/**
 * Makes the next scan read CHDs again. An earlier version read only the header of a CHD, and
 * calculated the hashes of the packed file. No DAT lists such hashes. No file has the time -1, so
 * the next scan treats these files as changed.
 */
export const chdsReadAgain = {
  name: '0013-chds-read-again',
  statements: [
    `UPDATE library_file SET identity = json_set(identity, '$.tracks', json('[]'))`,
    `UPDATE library_file SET mtime_ns = -1, crc32 = NULL, md5 = NULL, sha1 = NULL
      WHERE identity ->> 'container' = 'chd'`,
  ],
};
