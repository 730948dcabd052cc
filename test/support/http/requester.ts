import * as http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { checkResponse } from './contract.ts';

export interface RequestOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** Sent as the cookie `catalog_session`. */
  readonly cookie?: string | undefined;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly json?: unknown;
  /** Sent unchanged, without a content type. */
  readonly body?: Buffer | string;
  readonly form?: Form;
  /** Sends the body with chunked encoding, without a length. */
  readonly chunked?: boolean;
}

/** A multipart form with one part. */
export interface Form {
  readonly bytes: Buffer | string;
  /** Written unchanged between the quotes. If null, the part has no file name. */
  readonly filename?: string | null;
  readonly field?: string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The parsed body. Access throws if the body is not JSON. */
  readonly json: Record<string, unknown>;
}

export type Requester = (
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<TestResponse>;

/**
 * Returns a function that sends requests to a server on loopback. Each request has its own
 * connection, and its path is sent unchanged. Rejects if a response does not match the server's
 * document.
 */
export function createRequester(url: string): Requester {
  const { hostname, port } = new URL(url);
  return (method, path, options = {}) =>
    new Promise((resolve, reject) => {
      const { headers, bytes } = encodeBody(options);
      const target = { host: hostname, port, agent: false, method, path, headers };
      const request = http.request(target, (response) => {
        buffer(response)
          .then((body) => {
            const result = toResponse(response, body);
            const { status, headers, text } = result;
            checkResponse(url, { method, path, status, headers, body: text });
            resolve(result);
          })
          .catch(reject);
      });
      request.on('error', reject);
      if (options.chunked === true && bytes !== undefined) request.write(bytes);
      request.end(options.chunked === true ? undefined : bytes);
    });
}

const boundary = 'boundary-of-the-tests';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** Returns the body of a form with these parts. `formPart` makes the parts. */
export function formBody(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

export function formPart({ bytes, filename = 'file.bin', field = 'file' }: Form): Buffer {
  const name = filename === null ? '' : `; filename="${filename}"`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')]);
}

function encodeBody(options: RequestOptions) {
  const headers: http.OutgoingHttpHeaders = {};
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.cookie !== undefined) headers.cookie = `catalog_session=${options.cookie}`;
  let bytes = options.body;
  if (options.json !== undefined) {
    headers['content-type'] = 'application/json';
    bytes = JSON.stringify(options.json);
  }
  if (options.form !== undefined) {
    headers['content-type'] = formType;
    bytes = formBody(formPart(options.form));
  }
  if (bytes !== undefined && options.chunked !== true) {
    headers['content-length'] = Buffer.byteLength(bytes);
  }
  return { headers: { ...headers, ...options.headers }, bytes };
}

function toResponse({ statusCode = 0, headers }: http.IncomingMessage, body: Buffer): TestResponse {
  return {
    status: statusCode,
    headers,
    body,
    get text() {
      return body.toString();
    },
    get json() {
      return JSON.parse(body.toString());
    },
  };
}
