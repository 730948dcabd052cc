import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../../measure/dats.ts';
import { importReleases } from '../catalogue.ts';
import { noneOf, type Row } from '../row.ts';
import { Writers } from '../writers.ts';

const writers = 4;

/**
 * Kills the two instances alternately. Checks that the running instance responds to readers and
 * that no acknowledged write is lost.
 */
export const killed: Row = {
  name: 'killed',
  async measure(scene) {
    const pair = await scene.openPair();
    const ids = await importReleases(pair, scene, 500);
    const random = createRandom(scene.seed);
    const load = new Writers(pair, ids);
    let isOver = false;
    let runningInstance = 1;
    let [sent, unanswered] = [0, 0];
    const read = async () => {
      while (!isOver) {
        const which = runningInstance;
        const { status } = await pair.at(which).request(`/api/releases/${ids[sent % ids.length]}`);
        sent += 1;
        // Ignore a failure if the instance was killed during the request.
        if (status !== 200 && which === runningInstance) unanswered += 1;
        await setTimeout(5);
      }
    };
    const workers = [
      read(),
      read(),
      ...Array.from({ length: writers }, (_, writer) => load.run(writer, () => isOver)),
    ];
    const kills = scene.times(20);
    for (let kill = 0; kill < kills; kill += 1) {
      runningInstance = (kill + 1) % 2;
      await setTimeout(300 + random() * 1_200);
      await pair.kill(kill % 2);
      await pair.start(kill % 2);
    }
    isOver = true;
    await Promise.all(workers);
    const { lost, doubled } = await load.compare();
    return [
      noneOf('acknowledged writes lost', lost, load.acknowledged),
      noneOf('writes done twice', doubled),
      noneOf('reads that the other instance did not serve', unanswered, sent),
    ];
  },
};
