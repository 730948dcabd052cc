// The reference for HTTP: a bare node:http server that sends prepared responses. The server runs in
// a separate process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withoutUniqueParameter } from '../measure-load.ts';
import type { RecordedResponse } from '../responses.ts';

process.once('message', (responses: Record<string, RecordedResponse>) => {
  const ready = new Map(
    Object.entries(responses).map(([path, { status, headers, body }]) => {
      return [path, { status, headers, bytes: Buffer.from(body, 'base64') }] as const;
    }),
  );
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    const recorded = ready.get(withoutUniqueParameter(request.url ?? ''));
    response.writeHead(recorded?.status ?? 404, recorded?.headers);
    response.end(recorded?.bytes);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
