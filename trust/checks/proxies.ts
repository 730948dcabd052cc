import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { Check } from '../check.ts';
import { browse } from '../proxies/browse.ts';
import { Count } from '../proxies/count.ts';
import { Curl } from '../proxies/curl.ts';
import { makeArchive, transferArchive } from '../proxies/large-archive.ts';
import { freePort, startProxy } from '../proxies/proxy.ts';
import { host, makeCertificate, type ProxyKind, proxySkipReason } from '../proxies/proxy-tools.ts';
import { replaceAll } from '../proxies/replace-all.ts';
import { browserAddress, type Site } from '../proxies/site.ts';
import { measureMemoryGrowth } from '../tools/memory.ts';
import type { Trial } from '../trial.ts';

const kinds: readonly ProxyKind[] = ['nginx', 'caddy'];
const MIB = 1024 ** 2;
const maxMemoryMib = 128;
/**
 * Limit for the proxy's writes to disk, in MiB. The limit allows for logs. Buffering the archive
 * would write hundreds of MiB.
 */
const maxWrittenMib = 8;
const base = '/catalog';

/**
 * Checks that everything works the same behind nginx and Caddy, with the configuration files of
 * deploy/.
 */
export const proxies: Check = {
  name: 'proxies',
  control: { what: 'nginx buffers by default; Caddy does not report TLS' },
  skipReason: async () =>
    process.platform === 'linux' ? proxySkipReason() : 'memory is read from /proc',
  async measure(trial) {
    const archive = join(trial.folder, 'archive.bin');
    const sha256 = await makeArchive(archive);
    const dats = await generateDats(join(trial.folder, 'dats'), [3]);
    const certificate = makeCertificate(trial.folder);
    const figures: Figure[] = [];
    for (const kind of kinds) {
      const folder = join(trial.folder, kind);
      const options = { kind, folder, trial, dats, ...certificate };
      const count = new Count(kind);
      await withProxy({ ...options, path: base }, (site) => browse(site, count));
      await withProxy({ ...options, path: '' }, async (site) => {
        await browse(site, count);
        const { proxy, server } = site;
        const before = await proxy.writtenBytes();
        const work = transferArchive(site, { archive, sha256 }, count);
        const more = await measureMemoryGrowth(server.pid, work);
        const written = ((await proxy.writtenBytes()) - before) / MIB;
        figures.push(
          ...count.figures(),
          {
            what: `${kind}: written to disks`,
            value: written,
            unit: 'MiB',
            max: maxWrittenMib,
          },
          {
            what: `${kind}: memory of the server`,
            value: more,
            unit: 'MiB more',
            max: maxMemoryMib,
          },
        );
      });
      await rm(folder, { recursive: true, force: true });
    }
    return figures;
  },
};

/** Functions that plant the fault of the control run in the files of deploy/. */
export const faults: Readonly<Record<ProxyKind, (file: string) => string>> = {
  nginx: (file) =>
    replaceAll(file, [
      ['proxy_request_buffering off;', ''],
      ['proxy_buffering off;', ''],
    ]),
  caddy: (file) =>
    replaceAll(file, [
      ['flush_interval -1', 'flush_interval -1\n\t\theader_up -X-Forwarded-Proto'],
    ]),
};

async function withProxy(
  options: {
    kind: ProxyKind;
    folder: string;
    path: string;
    trial: Trial;
    dats: readonly string[];
    certificate: string;
    key: string;
  },
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const { kind, path, trial, dats, certificate, key } = options;
  const folder = join(options.folder, path === '' ? 'root' : 'below');
  const data = join(folder, 'data');
  await timeImport(dats, data);
  const port = await freePort();
  const publicUrl = ['--public-url', `https://${host}:${port}`];
  const basePath = path === '' ? [] : ['--base-path', path];
  const more = ['--trusted-proxy', '127.0.0.1', ...publicUrl, ...basePath];
  const server = await trial.startServer(data, more);
  const upstream = Number(new URL(server.url).port);
  try {
    const fault = trial.isControl ? faults[kind] : (file: string) => file;
    const own = { folder: join(folder, 'proxy'), upstream, port, certificate, key, fault };
    const proxy = await startProxy(kind, own);
    try {
      const files = join(folder, 'curl');
      await mkdir(files);
      const curl = new Curl({ folder: files, host, port, certificate, address: browserAddress });
      const direct = `http://127.0.0.1:${upstream}${path}`;
      await work({ proxy, server, curl, folder, path, url: proxy.origin + path, direct });
    } finally {
      await proxy.stop();
    }
  } finally {
    await server.stop();
  }
}
