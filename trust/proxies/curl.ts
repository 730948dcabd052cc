import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The response to a request of curl. */
export interface CurlResponse {
  /** The status, or 0 if there was no response. */
  readonly status: number;
  /** Headers of the last response, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Runs curl like a browser: curl stores cookies, uses HTTP/2 if offered, and has its own IP
 * address.
 */
export class Curl {
  readonly #folder: string;
  readonly #always: readonly string[];
  #count = 0;

  /**
   * curl connects to `port` on this machine for the host name `host`, and trusts `certificate`.
   * Files of curl are stored in `folder`.
   */
  constructor(options: {
    folder: string;
    host: string;
    port: number;
    certificate: string;
    address: string;
  }) {
    const { folder, host, port, certificate, address } = options;
    this.#folder = folder;
    const jar = join(folder, 'cookies');
    this.#always = [
      ...['--silent', '--noproxy', '*', '--cacert', certificate, '--interface', address],
      ...['--resolve', `${host}:${port}:127.0.0.1`, '--cookie', jar, '--cookie-jar', jar],
    ];
  }

  /**
   * Sends a request with further curl arguments, such as `--range`. Never rejects. With `--output`,
   * the returned body is empty.
   */
  async request(url: string, ...more: readonly string[]): Promise<CurlResponse> {
    this.#count += 1;
    const headerFile = join(this.#folder, `head-${this.#count}`);
    const bodyFile = join(this.#folder, `body-${this.#count}`);
    const output = more.includes('--output') ? [] : ['--output', bodyFile];
    const args = [...this.#always, '--dump-header', headerFile, ...output, ...more, url];
    await run('curl', args).catch(() => undefined); // a failure shows as status 0
    const body = output.length === 0 ? '' : await readFile(bodyFile, 'latin1').catch(() => '');
    return { ...parseHeader(await readFile(headerFile, 'latin1').catch(() => '')), body };
  }
}

function parseHeader(text: string): Omit<CurlResponse, 'body'> {
  const last = text.trimEnd().split('\r\n\r\n').at(-1) ?? '';
  const [first = '', ...lines] = last.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { status: Number(first.split(' ')[1] ?? 0), headers: new Map(headers) };
}
