import { createServer, type Server } from 'node:http';

/** Figures in the text format of Prometheus. */
export interface ServedMetrics {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Where the figures are had. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the figures at `/metrics`, to whoever reaches the address; there are no accounts. Rejects with the system's
 * error when it cannot listen. `onFailure` is told why figures could not be had.
 */
export async function serveMetrics(
  metrics: ServedMetrics,
  { host, port }: MetricsAddress,
  onFailure: (error: unknown) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path !== '/metrics' || !isRead) {
      response.writeHead(path === '/metrics' ? 405 : 404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        onFailure(error);
        response.writeHead(503).end();
      },
    );
  });
  server.listen(port, host);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  return server;
}
