import { type IncomingHttpHeaders, request } from 'node:http';
import { checkResponse } from './contract.ts';

export interface ClientResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read various fields
  readonly json: any;
  /** Milliseconds from the call to the last byte of the response. */
  readonly ms: number;
}

export interface ClientRequestOptions {
  /** The default is POST if there is a body, otherwise GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly json?: unknown;
  readonly body?: Buffer | string;
}

/**
 * Sends one request to a server in another process, on a separate connection. Returns the complete
 * response. Rejects if the response does not match the server's document.
 */
export function sendRequest(
  url: string,
  options: ClientRequestOptions = {},
): Promise<ClientResponse> {
  const { token, json } = options;
  const body = json === undefined ? options.body : JSON.stringify(json);
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...options.headers,
  };
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        const ms = performance.now() - start;
        const { statusCode: status = 0, headers } = response;
        try {
          checkResponse(url, { method, path: pathOf(url), status, headers, body: text });
          resolve({ status, headers, text, json: parseJson(text), ms });
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Returns a multipart form with one file. */
export function fileForm(
  name: string,
  bytes: Buffer | string,
): Required<Pick<ClientRequestOptions, 'body' | 'headers'>> {
  const { head, tail, type } = formAround(name);
  return {
    body: Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]),
    headers: { 'content-type': type },
  };
}

/**
 * Returns the bytes before and after the content of a form's only file. A test can then send the
 * three parts separately.
 */
export function formAround(name: string): { head: string; tail: string; type: string } {
  const boundary = 'catalog-test-boundary';
  return {
    head:
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
    tail: `\r\n--${boundary}--\r\n`,
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Logs in. Returns the token. */
export async function logIn(
  url: string,
  username = 'admin',
  password = 'admin-password',
): Promise<string> {
  const { status, json, text } = await sendRequest(`${url}/api/auth/login`, {
    json: { username, password },
  });
  if (status !== 200) throw new Error(`no login: ${status} ${text}`);
  return json.token;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
