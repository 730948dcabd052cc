import { importReleases } from '../catalogue.ts';
import { noneOf, type Row } from '../row.ts';

/**
 * Makes two concurrent edits of one release, each of a different field and through a different
 * instance. Checks that both edits persist.
 */
export const edits: Row = {
  name: 'edits',
  async measure(scene) {
    const pair = await scene.openPair();
    const [id] = await importReleases(pair, scene, 1);
    const rounds = scene.times(150);
    let wrong = 0;
    for (let round = 0; round < rounds; round += 1) {
      const texts = { region: `Region ${round}`, description: `Text ${round}` };
      const { region, description } = texts;
      const responses = await Promise.all(
        [{ region }, { description }].map((json, at) =>
          pair.at(round + at).request(`/api/releases/${id}`, { method: 'PATCH', json }),
        ),
      );
      const { json } = await pair.at(round).request(`/api/releases/${id}`);
      const found = json as typeof texts;
      const bothPersist = found.region === region && found.description === description;
      if (!bothPersist || responses.some(({ status }) => status !== 200)) wrong += 1;
    }
    return [noneOf('rounds that lost an edit', wrong, rounds)];
  },
};
