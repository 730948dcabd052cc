import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endpoints } from '../../src/http/account-api/endpoints-and-roles.ts';
import { settings } from '../../src/settings/settings.ts';
import { runTool, toolPath, toolsSkipReason } from '../support/tools.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const text = (name: string) => readFileSync(join(deploy, name), 'utf8');

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command. Returns its exit code and output. */
function run(command: string, args: readonly string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: toolPath },
  });
  return { code: status, output: stdout + stderr };
}

const systemdSkipReason = toolsSkipReason('systemd-analyze');
const withSystemd = describe.skipIf(systemdSkipReason !== null);
withSystemd(`the systemd unit (${systemdSkipReason ?? 'verified'})`, () => {
  const verify = (unit: string) => {
    const file = join(useFolder(), 'catalog.service');
    writeFileSync(file, unit);
    return run('systemd-analyze', ['verify', file]);
  };
  // The command exits with 0 if the exposure is at most 2.0. The threshold is in tenths.
  const judge = (unit: string) => {
    const file = join(useFolder(), 'catalog.service');
    writeFileSync(file, unit);
    return run('systemd-analyze', ['security', '--offline=true', '--threshold=20', file]).code;
  };

  test('passes systemd-analyze with a low exposure', () => {
    expect(verify(text('catalog.service'))).toEqual({ code: 0, output: '' });
    expect(judge(text('catalog.service'))).toBe(0);
  });

  test('fails systemd-analyze when a setting is misspelt or its exposure is too high', () => {
    const misspelt = text('catalog.service').replace('ProtectHome=', 'ProtectHouse=');
    expect(verify(misspelt).output).toContain('ProtectHouse');
    const open = text('catalog.service').replace(/^(Protect|Private|SystemCall).*\n/gm, '');
    expect(judge(open)).not.toBe(0);
  });
});

const nginxSkipReason = toolsSkipReason('nginx', 'openssl');
const withNginx = describe.skipIf(nginxSkipReason !== null);
withNginx(`the server blocks of nginx (${nginxSkipReason ?? 'verified'})`, () => {
  const check = (block: string) => {
    const folder = useFolder();
    const [key, certificate] = [join(folder, 'x.key'), join(folder, 'x.pem')];
    const subject = ['-subj', '/CN=catalog.example', '-days', '2', '-nodes'];
    const files = ['-keyout', key, '-out', certificate];
    runTool('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files]);
    const own = block
      .replace('/etc/ssl/catalog.example.pem', certificate)
      .replace('/etc/ssl/catalog.example.key', key);
    const file = join(folder, 'nginx.conf');
    const logs = `pid ${folder}/pid; error_log stderr;`;
    writeFileSync(file, `${logs}\nevents {}\nhttp { access_log off;\n${own}\n}\n`);
    return run('nginx', ['-t', '-c', file]);
  };

  test.each(['nginx.conf', 'nginx-several.conf'])('pass nginx -t in %s', (name) => {
    expect(check(text(name))).toMatchObject({ code: 0 });
  });

  test('fail nginx -t when a directive is misspelt', () => {
    const wrong = text('nginx.conf').replace('proxy_request_buffering', 'proxy_request_bufering');
    expect(check(wrong)).toMatchObject({ code: 1 });
  });
});

const haproxySkipReason = toolsSkipReason('haproxy', 'openssl');
const withHaproxy = describe.skipIf(haproxySkipReason !== null);
withHaproxy(`haproxy.cfg (${haproxySkipReason ?? 'verified'})`, () => {
  const check = (config: string) => {
    const folder = useFolder();
    const [pem, key] = [join(folder, 'x.pem'), join(folder, 'x.pem.key')];
    const subject = ['-subj', '/CN=catalog.example', '-days', '2', '-nodes'];
    const files = ['-keyout', key, '-out', pem];
    runTool('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files]);
    const file = join(folder, 'haproxy.cfg');
    const own = config
      .replace('/etc/haproxy/catalog.example.pem', pem)
      .replace(/^ {2}(user|group) haproxy\n/gm, '')
      .replace(' user haproxy', '');
    writeFileSync(file, own);
    return run('haproxy', ['-c', '-f', file]);
  };

  test('passes haproxy -c without a warning', () => {
    const { code, output } = check(text('haproxy.cfg'));
    expect({ code, warnings: output.match(/\[WARNING\].*/g) }).toEqual({ code: 0, warnings: null });
  });

  test('fails haproxy -c when a directive is misspelt', () => {
    const wrong = text('haproxy.cfg').replace('balance leastconn', 'balance lastconn');
    expect(check(wrong)).toMatchObject({ code: 1 });
  });
});

const fileEndings = /\/download$|\.csv$|\.dat$|\/export\/|\/left-out\/|\/store\/download\//;
/** Paths of responses that may take longer than 20 s, with their parameters filled in. */
const longPaths = [
  ...endpoints
    .filter(([, method]) => method === 'GET')
    .map(([, , path]) => path.replaceAll(/\{\w+\}/g, '7'))
    .filter((path) => fileEndings.test(path)),
  '/dav/Mine/batocera/roms/x',
  '/play/secret/games/x.iso',
];
const shortPaths = ['/api/releases/7', '/api/releases', '/api/sets/7', '/api/library'];

describe('the proxy files for several instances', () => {
  test.each<[string, (config: string) => (path: string) => boolean]>([
    ['nginx-several.conf', pathsOfNginx],
    ['haproxy.cfg', pathsOfHaproxy],
  ])('give only long responses a long timeout in %s', (name, pathsOf) => {
    const isLong = pathsOf(text(name));
    expect(longPaths.length).toBeGreaterThan(8);
    expect(longPaths.filter((path) => !isLong(path))).toEqual([]);
    expect(shortPaths.filter(isLong)).toEqual([]);
    const without = pathsOf(text(name).replaceAll('left-out', 'left'));
    expect(longPaths.filter((path) => !without(path))).not.toEqual([]);
  });
});

/** Returns a function that finds the paths with 600 s. Leaves out those of `?refresh`. */
function pathsOfNginx(config: string): (path: string) => boolean {
  const blocks = config.matchAll(/location ~ (\S+) \{\n\s+proxy_read_timeout 600s;/g);
  const patterns = Array.from(blocks, ([, pattern = '']) => new RegExp(pattern));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function pathsOfHaproxy(config: string): (path: string) => boolean {
  const lines = config.matchAll(/acl is_(?:file|export) path_(sub|reg|end) (.+)/g);
  const rules = Array.from(lines, ([, how, values = '']) => ({ how, values: values.split(' ') }));
  return (path) =>
    rules.some(({ how, values }) =>
      values.some((value) => {
        if (how === 'sub') return path.includes(value);
        return how === 'end' ? path.endsWith(value) : new RegExp(value).test(path);
      }),
    );
}

const caddySkipReason = toolsSkipReason('caddy');
const withCaddy = describe.skipIf(caddySkipReason !== null);
withCaddy(`the Caddyfile (${caddySkipReason ?? 'verified'})`, () => {
  const check = (config: string) => {
    const file = join(useFolder(), 'Caddyfile');
    writeFileSync(file, config);
    return run('caddy', ['validate', '--config', file, '--adapter', 'caddyfile']).code;
  };

  test('passes caddy validate', () => {
    expect(check(text('Caddyfile'))).toBe(0);
  });

  test('fails caddy validate when a directive is misspelt', () => {
    expect(check(text('Caddyfile').replace('flush_interval', 'flush_intervall'))).not.toBe(0);
  });
});

describe('the deployment files', () => {
  test('use only existing settings', () => {
    const variables = Object.values(settings).map(({ variable }) => variable);
    const options = Object.values(settings).flatMap((each) =>
      'option' in each && each.option !== undefined ? [`--${each.option}`] : [],
    );
    const all = [
      ...['Containerfile', 'compose.yaml', 'catalog.service', 'nginx.conf', 'Caddyfile'],
      ...['haproxy.cfg', 'nginx-several.conf'],
    ];
    for (const name of all) {
      expect(existsSync(join(deploy, name))).toBe(true);
      for (const [variable] of text(name).matchAll(/\bCATALOG_[A-Z_]+\b/g)) {
        expect(variables, `${name}: ${variable}`).toContain(variable);
      }
      for (const line of text(name)
        .split('\n')
        .filter((each) => each.includes('catalog serve'))) {
        for (const [option] of line.matchAll(/--[a-z][a-z-]+/g)) expect(options).toContain(option);
      }
    }
  });
});
