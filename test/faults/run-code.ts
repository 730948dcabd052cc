import { spawn } from 'node:child_process';
import { once } from 'node:events';

const root = new URL('../../', import.meta.url).href;

/**
 * Runs the text of a module in a separate process, with the catalogue of `data`. Returns how the
 * process ended.
 */
export async function run(
  data: string,
  code: string,
): Promise<{ signal: string | null; stderr: string }> {
  const program = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const kill = () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => setInterval(() => {}, 1000)); };
    const killAt = (name, when) => {
      const original = fs.promises[name];
      fs.promises[name] = async (...args) => {
        if (when === 'before') await kill();
        await original(...args);
        await kill();
      };
      syncBuiltinESMExports();
    };
    const { openCatalog } = await import('${root}src/wire/open-catalog.ts');
    const { readConfig } = await import('${root}src/settings/config.ts');
    const data = ${JSON.stringify(data)};
    const config = readConfig({ data, 'log-level': 'silent', 'cover-source': '' }, {});
    const { store, covers, uploads, close } = await openCatalog(config, { warn() {} });
    const actor = { kind: 'cli', username: 'killed' };
    async function* bytes(text) { yield Buffer.from(text, 'latin1'); }
    ${code}
    await close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const [, signal] = await once(child, 'close');
  return { signal, stderr };
}
