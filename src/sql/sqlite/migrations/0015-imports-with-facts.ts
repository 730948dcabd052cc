export const importsWithFacts = {
  name: '0015-imports-with-facts',
  // It is unknown whether earlier imports had facts, so the default is that they had.
  statements: [
    'ALTER TABLE import ADD COLUMN has_facts INTEGER NOT NULL DEFAULT 1 CHECK (has_facts IN (0, 1))',
    'CREATE INDEX import_by_sha256 ON import (sha256)',
  ],
};
