import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Md5Reply, Md5Request } from './md5-thread.ts';

let md5 = createHash('md5');

parentPort?.on('message', (request: Md5Request) => {
  if (request === 'start') md5 = createHash('md5');
  else if (request === 'end') reply({ md5: md5.digest('hex') });
  else {
    md5.update(request.part);
    reply('taken');
  }
});

function reply(message: Md5Reply): void {
  parentPort?.postMessage(message);
}
