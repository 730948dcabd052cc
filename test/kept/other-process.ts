// A process of its own that changes the catalogue of the data folder it is started with: an edit for each message.
import { readConfig } from '../../src/config.ts';
import { openCatalog } from '../../src/wire.ts';

const [data = ''] = process.argv.slice(2);
const config = readConfig({ data, 'log-level': 'silent', 'cover-source': '' }, {});
const catalog = await openCatalog(config, { warn: () => undefined }, { readers: 1 });

process.on('message', async ({ id, name }: { id: number; name: string }) => {
  await catalog.releases.edit(id, { name }, { kind: 'system' });
  process.send?.('done');
});
process.once('disconnect', () => void catalog.close());
process.send?.('ready');
