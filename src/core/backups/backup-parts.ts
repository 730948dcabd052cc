export const backupParts = ['covers', 'games', 'videos'] as const;
/** Parts that a backup may contain in addition to the database. */
export type BackupPart = (typeof backupParts)[number];

/** Folder of a part's files in a backup, and in a data folder. */
export const folderOf: Readonly<Record<BackupPart, string>> = {
  covers: 'covers',
  games: 'store/games',
  videos: 'store/videos',
};

/** Returns the parts of a backup: the covers and, if `store` is set, the archives. */
export function partsOfBackup({ store }: { store: boolean }): BackupPart[] {
  return backupParts.filter((part) => part === 'covers' || store);
}
