import * as http from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Version of PPSSPP. Version 1.20 appends a line of a listing to the folder's URL. Version 1.16
 * resolves the line like a link.
 */
export type PpssppVersion = '1.20' | '1.16';

export interface RemoteEntry {
  readonly url: string;
  readonly isFolder: boolean;
}

const programs = {
  '1.20': { 'user-agent': 'PPSSPP/v1.20', accept: 'text/plain, text/html; q=0.9, */*; q=0.8' },
  '1.16': { 'user-agent': 'PPSSPP/v1.16.6', accept: '*/*' },
};

interface ReceivedResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends one request on a separate connection, like PPSSPP. */
export function sendAlone(method: string, url: string, headers: http.OutgoingHttpHeaders) {
  return new Promise<ReceivedResponse>((resolve, reject) => {
    const request = http.request(url, { method, agent: false, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.on('error', reject).end();
  });
}

/**
 * A client that behaves like the remote disc streaming of PPSSPP: lists a folder, and reads parts
 * of a file. Throws for every response with which PPSSPP would stop.
 */
export class Ppsspp {
  readonly #headers: http.OutgoingHttpHeaders;
  readonly #version: PpssppVersion;

  constructor(version: PpssppVersion = '1.20') {
    this.#version = version;
    this.#headers = programs[version];
  }

  /**
   * Lists a folder. PPSSPP does not follow redirects here. Since version 1.17, it removes the `/`
   * at the end of the URL.
   */
  async list(folder: string): Promise<RemoteEntry[]> {
    const base = this.#version === '1.20' ? folder.replace(/\/$/, '') : folder;
    const { status, headers, body } = await sendAlone('GET', base, this.#headers);
    const type = headers['content-type'] ?? '';
    if (status !== 200) throw new Error(`the listing has the status ${status}`);
    if (!/^text\/(?:plain|html)/i.test(type)) throw new Error(`the listing is ${type}`);
    const items = type.startsWith('text/plain')
      ? body.toString().split('\n')
      : [...body.toString().matchAll(/"([^"]*)"/g)].map(([, quoted]) => quoted ?? '');
    return items
      .filter((item) => item !== '')
      .map((item) => ({ url: this.#resolve(base, item), isFolder: item.endsWith('/') }));
  }

  #resolve(base: string, item: string): string {
    if (this.#version === '1.16') return new URL(item, base).href;
    return `${base}${item.startsWith('/') ? '' : '/'}${item}`;
  }

  /** Returns the size of a file. */
  async open(url: string): Promise<number> {
    const { status, headers } = await sendAlone('HEAD', url, this.#headers);
    if (status !== 200) throw new Error(`HEAD has the status ${status}`);
    if (headers['accept-ranges'] !== 'bytes') throw new Error('the server takes no ranges');
    const size = Number(headers['content-length']);
    if (!Number.isSafeInteger(size)) throw new Error('HEAD has no length');
    return size;
  }

  /** Reads the bytes from `start` to before `end`. */
  async read(url: string, start: number, end: number, size: number): Promise<Buffer> {
    const headers = { ...this.#headers, range: `bytes=${start}-${end - 1}` };
    const { status, headers: received, body } = await sendAlone('GET', url, headers);
    const expected = `bytes ${start}-${end - 1}/${size}`;
    if (status !== 206) throw new Error(`a read has the status ${status}`);
    if (received['content-range'] !== expected) throw new Error(`${received['content-range']}`);
    if (received['transfer-encoding'] !== undefined) throw new Error('a read is chunked');
    if (Number(received['content-length']) !== end - start) throw new Error('a wrong length');
    return body;
  }
}
