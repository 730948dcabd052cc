import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { placeDatabase, placeDataFolder } from './data/new-catalogue.ts';
import { sendRequest } from './http/client.ts';
import { registerContract } from './http/contract.ts';
import { pollOptions } from './poll-options.ts';
import { programFile } from './program-file.ts';

/** The result of a program that has ended. */
export interface ProgramResult {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process of the command line, `node dist/main.js ...`. */
export interface Program {
  readonly pid: number;
  readonly stdin: ChildProcess['stdin'];
  /** The program's output so far. */
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<ProgramResult>;
  readonly hasEnded: boolean;
  kill(signal: NodeJS.Signals): void;
  /** Closes the reading ends of the program's standard output and error. */
  closeReaders(): void;
  /** Stops reading the program's standard output and error, but does not close them. */
  stopReading(): void;
}

export interface Server extends Program {
  /** URL of the server, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Sends SIGTERM and waits until the server has ended. */
  stop(): Promise<ProgramResult>;
}

type Env = Readonly<Record<string, string>>;

/** A temporary data folder, and the real processes that use it. */
export interface Sandbox {
  /** Path of the data folder. The folder does not exist until `catalog` creates it. */
  readonly data: string;
  /** A folder next to the data folder, for files of the test. */
  readonly folder: string;
  /** Starts `catalog ...args` on the data folder. */
  start(args: readonly string[], env?: Env): Program;
  /**
   * Starts a bash script. In the script, `catalog` runs the command line on the data folder.
   * `exec_catalog` replaces the script by the command line.
   */
  shell(script: string, env?: Env): Program;
  /** Runs `catalog ...args` and waits for its end. `stdin` is its standard input. */
  run(args: readonly string[], options?: { env?: Env; stdin?: string }): Promise<ProgramResult>;
  /** Creates the data folder with the admin `first`. */
  createDataFolder(): Promise<void>;
  /**
   * Starts a server on a free port of loopback and waits until it is healthy. The admin's password
   * is `admin-password`.
   */
  serve(args?: readonly string[], env?: Env): Promise<Server>;
  /** Kills the running processes and removes the sandbox's folder. */
  close(): Promise<void>;
}

/** Creates a sandbox for one test. The sandbox is closed after the test, even if the test fails. */
export async function useSandbox(data?: string, database?: string): Promise<Sandbox> {
  const sandbox = await openSandbox(data, database);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/**
 * Creates a sandbox for a whole test file. The caller must close it. `data` is the path of the data
 * folder, by default in a temporary folder. `database` is a URL.
 */
export async function openSandbox(data?: string, database = ''): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-process-'));
  const started: Program[] = [];
  const databaseEnv = { CATALOG_DATABASE: database };
  const sandbox: Sandbox = {
    data: data ?? join(folder, 'data'),
    folder,
    start(args, env = {}) {
      const all = { ...databaseEnv, CATALOG_DATA: sandbox.data, ...env };
      const program = launch([process.execPath, programFile, ...args], all, folder);
      started.push(program);
      return program;
    },
    shell(script, env = {}) {
      const all = { ...databaseEnv, CATALOG_DATA: sandbox.data, ...env };
      const command = `'${process.execPath}' '${programFile}' "$@"`;
      const prelude = `catalog() { ${command}; }; exec_catalog() { exec ${command}; }`;
      const program = launch(['bash', '-c', `${prelude}\n${script}`], all, folder);
      started.push(program);
      program.stdin?.end();
      return program;
    },
    async run(args, { env = {}, stdin = '' } = {}) {
      const program = sandbox.start(args, env);
      program.stdin?.on('error', () => {}).end(stdin);
      return program.ended;
    },
    async createDataFolder() {
      if (database === '') return placeDataFolder(sandbox.data);
      const args = ['users', 'add', 'first', '--role', 'admin', '--password-stdin'];
      const { code, stderr } = await sandbox.run(args, { stdin: 'first\n' });
      if (code !== 0) throw new Error(stderr);
    },
    async serve(args = [], env = {}) {
      const file = join(sandbox.data, 'catalog.db');
      if (database === '' && !existsSync(file)) await placeDatabase(file);
      const all = { CATALOG_ADMIN_PASSWORD: 'admin-password', ...env };
      const program = sandbox.start(['serve', '--host', '127.0.0.1', '--port', '0', ...args], all);
      const server = await asServer(program);
      registerContract(server.url, 'account');
      return server;
    },
    async close() {
      for (const program of started) program.kill('SIGKILL');
      await Promise.all(started.map((program) => program.ended));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return sandbox;
}

function launch(command: readonly string[], env: Env, cwd: string): Program {
  const all = {
    ...cleanEnv(),
    CATALOG_COVER_SOURCE: '',
    CATALOG_SCAN_EVERY: '0',
    ...env,
  };
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd, env: all });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed.stderr += text;
  });
  const ended = new Promise<ProgramResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...printed }));
  });
  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    ended,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    kill: (signal) => void child.kill(signal),
    closeReaders() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    stopReading() {
      child.stdout.pause();
      child.stderr.pause();
    },
  };
}

/** Returns the environment without variables that configure the catalog, vitest or Node. */
function cleanEnv(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !/^(CATALOG|VITEST|NODE_)/.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

async function asServer(program: Program): Promise<Server> {
  const url = await waitForUrl(program);
  const health = await sendRequest(`${url}/api/health`);
  if (health.status !== 200) throw new Error(`not healthy: ${health.status} ${health.text}`);
  return Object.assign(Object.create(program) as Program, {
    url,
    port: Number(new URL(url).port),
    stop() {
      program.kill('SIGTERM');
      return program.ended;
    },
  });
}

/**
 * Waits until a server has printed its URL, and returns the URL. Throws if the server ends before
 * it prints the URL.
 */
export async function waitForUrl(program: Program): Promise<string> {
  const printed = /Catalog is at (http:\S+)\n/;
  await vi.waitFor(() => {
    if (!program.hasEnded) expect(program.stdout).toMatch(printed);
  }, pollOptions);
  const [, url] = printed.exec(program.stdout) ?? [];
  if (url === undefined) throw new Error(`the server ended: ${program.stderr}`);
  return url;
}
