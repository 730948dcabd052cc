// The reference for HTTP: a bare node:http server that sends prepared responses. The server runs in
// a separate process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withoutUniqueParameter } from '../measure-load.ts';
import type { RecordedResponse } from '../responses.ts';

process.once('message', (answers: Record<string, RecordedResponse>) => {
  const ready = new Map(
    Object.entries(answers).map(([path, { status, headers, body }]) => {
      return [path, { status, headers, bytes: Buffer.from(body, 'base64') }] as const;
    }),
  );
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    const answer = ready.get(withoutUniqueParameter(request.url ?? ''));
    response.writeHead(answer?.status ?? 404, answer?.headers);
    response.end(answer?.bytes);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
