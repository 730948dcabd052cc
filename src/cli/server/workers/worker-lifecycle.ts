import type { Worker } from 'node:cluster';
import { createMetrics } from '../open-metrics.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { exitSoon, type ServerLifecycle } from './server-lifecycle.ts';

/**
 * Returns the lifecycle of a worker. The primary process prints messages for all workers, and
 * requests this worker's metrics.
 */
export function workerLifecycle(worker: Worker): ServerLifecycle {
  const send = (message: FromWorker) => void worker.send(message);
  return {
    isFirst: worker.id === 1,
    // Requests the password from the primary process. A worker's environment does not contain the
    // password, because other processes could read it there.
    adminPassword: () =>
      new Promise((resolve) => {
        const onMessage = (message: ToWorker) => {
          if (message.kind !== 'admin password') return;
          worker.off('message', onMessage);
          resolve(message.password);
        };
        worker.on('message', onMessage);
        send({ kind: 'admin password?' });
      }),
    async openMetrics(config, catalog) {
      if (config.metrics === undefined) return null;
      const metrics = await createMetrics(catalog);
      worker.on('message', (message: ToWorker) => {
        if (message.kind !== 'figures') return;
        const { kind, id } = message;
        metrics.snapshot().then(
          (figures) => send({ kind, id, figures }),
          () => send({ kind, id, figures: null }),
        );
      });
      return { record: (completed) => metrics.record(completed), close: () => undefined };
    },
    serving: (serving) => send({ kind: 'serving', serving }),
    stopping: () => undefined,
    stopped: exitSoon,
  };
}
