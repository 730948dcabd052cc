/**
 * Changes nothing. In PostgreSQL, this version makes imports faster. A version number stands for
 * the same tables in both databases.
 */
export const fasterImports = {
  name: '0046-faster-imports',
  statements: [],
};
