import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';

/** A fake S3 server on loopback, for responses that tests cannot cause on a real server. */
export interface FakeS3 {
  readonly address: BucketConfig;
  /** Method and path of each request so far. The path is relative to the bucket. */
  readonly requests: string[];
  readonly connections: ReadonlySet<Socket>;
  stop(): void;
}

/** Starts a fake S3 server, which does not read the bodies of requests. */
export async function startFakeS3(
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => unknown,
): Promise<FakeS3> {
  const requests: string[] = [];
  const connections = new Set<Socket>();
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const query = ['uploads', 'uploadId'].find((name) => url.searchParams.has(name));
    requests.push(
      `${request.method} ${url.pathname.slice('/bucket/'.length)}${query ? `?${query}` : ''}`,
    );
    respond(request, response);
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { accessKey: 'key', secretKey: 'secret' };
  return {
    address: { bucket: 'bucket', prefix: '', endpoint, region: 'us-east-1', ...keys },
    requests,
    connections,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends an error response in the format of S3. */
export function sendS3Error(response: http.ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
}
