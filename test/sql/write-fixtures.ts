// Writes the missing fixtures, each from the previous one. Run this program after adding a
// migration: node test/sql/write-fixtures.ts
// Then compare the new file with the file of the previous version.
import { existsSync, writeFileSync } from 'node:fs';
import { fixtureFile, makeFixture, versions } from './fixtures.ts';

for (const version of versions) {
  const file = fixtureFile(version);
  if (existsSync(file)) continue;
  writeFileSync(file, await makeFixture(version));
  console.log(`${file}: written`);
}
