// The reference for streams: a bare node:http server that sends ranges of files. The server runs in
// a separate process.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

process.once('message', ({ folder }: { folder: string }) => {
  const server = createServer((request, response) => {
    const path = join(folder, basename(decodeURIComponent(request.url ?? '')));
    const { size } = statSync(path);
    const [, first = '0', last = ''] =
      /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(first);
    const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
    response.writeHead(206, {
      'content-type': 'application/octet-stream',
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    });
    createReadStream(path, { start, end }).pipe(response);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
