/** Runs a statement of a migration with the parameters `$1`, `$2` and so on. Returns its rows. */
export type MigrationQuery = (
  statement: string,
  params: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>;
