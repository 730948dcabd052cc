import type { Worker } from 'node:cluster';
import { openFigures } from '../open-metrics.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { endSoon, type Post } from './post.ts';

/** That of a worker, whose first process tells for all; it asks for the figures. */
export function workerPost(worker: Worker): Post {
  const tell = (message: FromWorker) => void worker.send(message);
  return {
    isFirst: worker.id === 1,
    // It is not in the environment of a worker, which others could read.
    adminPassword: () =>
      new Promise((resolve) => {
        const onMessage = (message: ToWorker) => {
          if (message.kind !== 'admin password') return;
          worker.off('message', onMessage);
          resolve(message.password);
        };
        worker.on('message', onMessage);
        tell({ kind: 'admin password?' });
      }),
    async openMetrics(config, catalog) {
      if (config.metrics === undefined) return null;
      const metrics = await openFigures(catalog);
      worker.on('message', (message: ToWorker) => {
        if (message.kind !== 'figures') return;
        const { kind, id } = message;
        metrics.figures().then(
          (figures) => tell({ kind, id, figures }),
          () => tell({ kind, id, figures: null }),
        );
      });
      return { note: (answered) => metrics.note(answered), close: () => undefined };
    },
    serving: (serving) => tell({ kind: 'serving', serving }),
    stopping: () => undefined,
    stopped: endSoon,
  };
}
