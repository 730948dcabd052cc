/** @module-tag full */
import { describe, expect, test } from 'vitest';
import { useSource } from '../../covers/covers-fixture.ts';
import { realSkipReason, realZip } from './archive.ts';
import { useFetcher } from './fetch-fixture.ts';

const psp = 'Sony - PlayStation Portable.dat';

describe('the catalogue fetcher', () => {
  test.skipIf(realSkipReason !== null)(
    `imports real DATs and metadata of a platform ${realSkipReason ?? ''}`,
    async () => {
      const paths = ['developer', 'genre', 'no-intro', 'redump'].map(
        (folder) => `${folder}/${psp}`,
      );
      const zip = await realZip(paths);
      const source = await useSource((_request, response) => response.end(zip));
      const fetched = await useFetcher(source.base);
      const report = await fetched.run();
      expect(report).toMatchObject({ files: 4, new: 3777, refused: [] });
      expect(report.filled).toBeGreaterThan(1_000);
    },
  );
});
