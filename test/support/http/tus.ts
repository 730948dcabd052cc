import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Requester, TestResponse } from './requester.ts';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
export const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest();

/** Returns the value of an `Upload-Metadata` header with these values. */
export function metadataOf(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([key, value]) =>
    value === '' ? key : `${key} ${Buffer.from(value).toString('base64')}`,
  );
  return pairs.join(',');
}

export interface TusClient {
  /** Begins an upload and returns the response. */
  begin(
    size: number,
    metadata: Readonly<Record<string, string>>,
    headers?: OutgoingHttpHeaders,
  ): Promise<TestResponse>;
  /** Begins an upload and returns the URL of the upload. */
  createUpload(size: number, metadata: Readonly<Record<string, string>>): Promise<string>;
  /** Sends a chunk. The request has the SHA-256 of the chunk, unless `headers` override it. */
  send(
    uploadUrl: string,
    offset: number,
    bytes: Buffer,
    headers?: OutgoingHttpHeaders,
  ): Promise<TestResponse>;
  head(uploadUrl: string): Promise<TestResponse>;
  /** Returns the fields of an upload. */
  get(uploadUrl: string): Promise<Record<string, unknown>>;
  /** Waits until an upload is done or has failed. Returns its fields. */
  waitUntilChecked(uploadUrl: string): Promise<Record<string, unknown>>;
}

/** Returns a client of tus 1.0.0 for the owner of `token`. */
export function tusClient(request: Requester, token: string): TusClient {
  const own = { 'tus-resumable': '1.0.0' };
  const client: TusClient = {
    begin: (size, metadata, headers = {}) =>
      request('POST', '/api/uploads', {
        token,
        headers: {
          ...own,
          'upload-length': size,
          'upload-metadata': metadataOf(metadata),
          ...headers,
        },
      }),
    async createUpload(size, metadata) {
      const { status, headers, text } = await client.begin(size, metadata);
      if (status !== 201) throw new Error(`not begun: ${status} ${text}`);
      return headers.location ?? '';
    },
    send: (uploadUrl, offset, bytes, headers = {}) =>
      request('PATCH', uploadUrl, {
        token,
        body: bytes,
        headers: {
          ...own,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': offset,
          'upload-checksum': `sha256 ${sha256(bytes).toString('base64')}`,
          ...headers,
        },
      }),
    head: (uploadUrl) => request('HEAD', uploadUrl, { token, headers: own }),
    get: async (uploadUrl) => (await request('GET', uploadUrl, { token })).json,
    async waitUntilChecked(uploadUrl) {
      for (;;) {
        const upload = await client.get(uploadUrl);
        if (upload.state === 'done' || upload.state === 'failed') return upload;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
  return client;
}
