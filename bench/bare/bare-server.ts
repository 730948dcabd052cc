// The reference for HTTP: a bare node:http server that sends prepared responses. The server runs in
// a separate process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../answers.ts';
import { withoutSent } from '../loaded.ts';

process.once('message', (answers: Record<string, Answer>) => {
  const ready = new Map(
    Object.entries(answers).map(([path, { status, headers, body }]) => {
      return [path, { status, headers, bytes: Buffer.from(body, 'base64') }] as const;
    }),
  );
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    const answer = ready.get(withoutSent(request.url ?? ''));
    response.writeHead(answer?.status ?? 404, answer?.headers);
    response.end(answer?.bytes);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
