import { setting } from '../setting.ts';
import { folderOrBucket, folderOrDatabase } from '../setting-text.ts';

/** The settings of the command `copy`. */
export const copySettings = {
  /** A folder or a database URL; "" if not set. */
  copyTo: setting({
    option: 'to',
    takes: '<place>',
    variable: 'CATALOG_COPY_TO',
    meaning: 'target of the copy: a data folder, or postgres://user@host/name',
    more: '[moving](../scaling.md#moving); with a password only by variable or file',
    usedBy: 'copy',
    fallback: '',
    shownDefault: 'none',
    mayBeInFile: true,
    mayBeSecret: true,
    read: folderOrDatabase,
  }),
  /**
   * A folder or an object store URL; "" if not set. Without a value, files in the data folder are
   * copied to `copyTo` if that is another folder. Otherwise the files stay in their present
   * storage.
   */
  copyFilesTo: setting({
    option: 'files-to',
    takes: '<place>',
    variable: 'CATALOG_COPY_FILES_TO',
    meaning: 'target for archives and covers: a data folder, or s3://bucket/prefix',
    usedBy: 'copy',
    fallback: '',
    shownDefault: 'the data folder of --to, else not copied',
    read: folderOrBucket,
  }),
};
