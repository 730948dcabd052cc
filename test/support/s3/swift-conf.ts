import { userInfo } from 'node:os';
import { join } from 'node:path';

/** The ports of the servers of a Swift, all on loopback. */
export interface SwiftPorts {
  readonly proxy: number;
  readonly memcached: number;
  readonly object: number;
  readonly container: number;
  readonly account: number;
}

export const storageServers = ['object', 'container', 'account'] as const;

/**
 * Returns the configuration files of a Swift with one disk, by name. The rings are not included
 * (Swift, "deployment guide" and "s3api").
 */
export function configurations(
  folder: string,
  ports: SwiftPorts,
  keys: { accessKey: string; secretKey: string },
): ReadonlyMap<string, string> {
  const storage = storageServers.map((server) => {
    const app = section(`app:${server}-server`, { use: `egg:swift#${server}` });
    const own = { devices: join(folder, 'disks'), mount_check: false, disable_fallocate: true };
    const first = section('DEFAULT', { ...common(folder, ports[server]), ...own });
    const line = section('pipeline:main', { pipeline: `${server}-server` });
    return [`${server}.conf`, first + line + app] as const;
  });
  const hash = { swift_hash_path_suffix: 'of tests' };
  return new Map([
    ...storage,
    ['swift.conf', section('swift-hash', hash)],
    ['proxy.conf', proxy(folder, ports, keys)],
  ]);
}

function proxy(
  folder: string,
  ports: SwiftPorts,
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
): string {
  const [account, user] = accessKey.split(':');
  const filters: Record<string, Record<string, unknown>> = {
    catch_errors: {},
    gatekeeper: {},
    cache: { use: 'egg:swift#memcache', memcache_servers: `127.0.0.1:${ports.memcached}` },
    listing_formats: {},
    s3api: { location: 'us-east-1', s3_acl: false, dns_compliant_bucket_names: true },
    tempauth: { [`user_${account}_${user}`]: `${secretKey} .admin` },
    copy: {},
    slo: {},
    dlo: {},
  };
  const pipeline = [...Object.keys(filters), 'proxy-server'].join(' ');
  return [
    section('DEFAULT', common(folder, ports.proxy)),
    section('pipeline:main', { pipeline }),
    section('app:proxy-server', { use: 'egg:swift#proxy', account_autocreate: true }),
    ...Object.entries(filters).map(([name, own]) =>
      section(`filter:${name}`, { use: `egg:swift#${name}`, ...own }),
    ),
  ].join('');
}

function common(folder: string, port: number) {
  const own = { bind_ip: '127.0.0.1', bind_port: port, workers: 0, swift_dir: folder };
  return { ...own, user: userInfo().username, log_level: 'ERROR' };
}

function section(name: string, values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${value}\n`);
  return `[${name}]\n${lines.join('')}`;
}
