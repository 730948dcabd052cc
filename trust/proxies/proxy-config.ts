import type { ProxyKind } from './proxy-tools.ts';
import { replaceAll } from './replace-all.ts';

/** Values that an administrator must set in the files of deploy/. */
export interface ProxySettings {
  readonly folder: string;
  readonly upstream: number;
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: string;
  readonly key: string;
}

/**
 * For each kind of proxy, a function that turns a file from deploy/ into a complete configuration.
 */
export const configs: Readonly<
  Record<ProxyKind, (file: string, settings: ProxySettings) => string>
> = {
  /** Adds the settings of Debian's nginx.conf around the file. */
  nginx(file, { folder, upstream, port, plainPort, certificate, key }) {
    const own = replaceAll(file, [
      ['127.0.0.1:8000', `127.0.0.1:${upstream}`],
      ['listen 80;', `listen ${plainPort};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl', `listen ${port} ssl`],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/ssl/catalog.example.pem', certificate],
      ['/etc/ssl/catalog.example.key', key],
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const folders = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
    return `${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 768; }
http { sendfile on; tcp_nopush on; types_hash_max_size 2048; include /etc/nginx/mime.types; gzip on;
access_log off; default_type application/octet-stream; ssl_prefer_server_ciphers on;
${folders}
${own}
}\n`;
  },
  /** Uses `certificate` instead of one that Caddy would obtain. */
  caddy(file, { upstream, port, plainPort, certificate, key }) {
    const own = replaceAll(file, [
      ['127.0.0.1:8000', `127.0.0.1:${upstream}`],
      ['catalog.example {', `catalog.example:${port} {\n\ttls ${certificate} ${key}`],
    ]);
    return `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n${own}`;
  },
};
