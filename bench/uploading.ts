import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { adminPassword } from '../measure/program.ts';

const tus = { 'tus-resumable': '1.0.0' };
const pollMs = 20;

/** An admin of a server who uploads files and starts jobs. */
export class Uploader {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /**
   * Uploads a file that consists of `chunk`, repeated `times` times. Returns the id after the
   * server has checked the whole upload.
   */
  async upload(file: {
    filename: string;
    system: 'games' | 'dats';
    chunk: Buffer;
    times: number;
  }): Promise<number> {
    const { filename, system, chunk, times } = file;
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const created = await this.#request('POST', '/api/uploads', {
      headers: {
        ...tus,
        'upload-length': String(chunk.length * times),
        'upload-metadata': `filename ${base64(filename)},system ${base64(system)}`,
      },
    });
    const path = created.headers.location ?? '';
    const sum = createHash('sha256').update(chunk).digest('base64');
    for (let sent = 0; sent < times; sent += 1) {
      const offset = String(sent * chunk.length);
      const headers = { 'upload-offset': offset, 'upload-checksum': `sha256 ${sum}` };
      const type = { 'content-type': 'application/offset+octet-stream' };
      await this.#request('PATCH', path, {
        headers: { ...tus, ...type, ...headers },
        body: chunk,
      });
    }
    return this.#waitForState(path, 'done');
  }

  /** Runs a job and waits for its end. Throws if the job does not succeed. */
  async run(kind: string, options: object): Promise<void> {
    const body = JSON.stringify({ kind, options });
    const headers = { 'content-type': 'application/json' };
    const started = await this.#request('POST', '/api/jobs', { headers, body });
    const { id } = JSON.parse(started.text) as { id: number };
    await this.#waitForState(`/api/jobs/${id}`, 'done');
  }

  async #waitForState(path: string, wanted: string): Promise<number> {
    for (;;) {
      const response = await this.#request('GET', path, {});
      const { id, state } = JSON.parse(response.text) as { id: number; state: string };
      if (state === wanted) return id;
      if (!['receiving', 'checking', 'running'].includes(state)) {
        throw new Error(`${path} is ${state}`);
      }
      await setTimeout(pollMs);
    }
  }

  /**
   * Sends a request. Does not use `fetch`, which copies and splits bodies. The copying would take
   * as long as the server needs to hash the body.
   */
  async #request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer },
  ): Promise<{ headers: IncomingHttpHeaders; text: string }> {
    const outgoing = request(new URL(path, this.#url), {
      method,
      agent: this.#agent,
      headers: { ...headers, authorization: `Bearer ${this.#token}` },
    });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const responseText = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${responseText}`);
    return { headers: response.headers, text: responseText };
  }
}

/**
 * Opens an uploader with an API token. A login token would not last: later logins invalidate it,
 * and there may be hundreds of logins.
 */
export async function openUploader(url: string): Promise<Uploader> {
  const fetchToken = async (path: string, body: object, extraHeaders: Record<string, string>) => {
    const headers = { 'content-type': 'application/json', ...extraHeaders };
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { token: string }).token;
  };
  const login = await fetchToken(
    '/api/auth/login',
    { username: 'admin', password: adminPassword },
    {},
  );
  const authorization = `Bearer ${login}`;
  return new Uploader(
    url,
    await fetchToken('/api/auth/tokens', { label: 'bench' }, { authorization }),
  );
}
