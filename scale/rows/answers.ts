import { fillBoth } from '../engines/both-engines.ts';
import { differencesOf } from '../engines/compare.ts';
import { randomPaths } from '../engines/random-paths.ts';
import { noneOf, type Row } from '../row.ts';

/**
 * Checks that the same catalogue in SQLite and in PostgreSQL returns identical responses, byte by
 * byte.
 */
export const answersRow: Row = {
  name: 'answers',
  async measure(scene) {
    const both = await fillBoth({ ...scene, rows: scene.times(20_000) });
    const figures = [];
    for (const api of ['account', 'minimal'] as const) {
      const paths = randomPaths(api, both.known, scene.seed, scene.times(10_000));
      const { differences } = await both.serve(api, (servers) => differencesOf(servers, paths));
      for (const { path, statuses, texts } of differences.slice(0, 5)) {
        process.stderr.write(
          `scale: ${path}: ${statuses.join(' and ')}\n  ${texts.join('\n  ')}\n`,
        );
      }
      figures.push(noneOf(`${api} API: responses that differ`, differences.length, paths.length));
    }
    return figures;
  },
};
