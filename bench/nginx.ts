import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Environment with the folder where Debian installs nginx. The PATH of some users does not contain
 * this folder.
 */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const isNginxInstalled = () => spawnSync('nginx', ['-v'], { env }).status === 0;

/**
 * Starts nginx with sendfile for `root`, on loopback. Writes the files of nginx to `folder`. The
 * caller must stop nginx.
 */
export async function startNginx(folder: string, root: string) {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1; user root;
events { worker_connections 512; }
http { access_log off; sendfile on; tcp_nopush on; ${temp.join(' ')}
  server { listen 127.0.0.1:${port}; root ${root}; } }
`,
  );
  const child = spawn('nginx', ['-c', file, '-p', folder], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(url).catch(() => null);
    if (response !== null) break;
    await setTimeout(50);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
