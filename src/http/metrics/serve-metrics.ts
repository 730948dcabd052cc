import { createServer, type Server } from 'node:http';

/** Metrics in the Prometheus text format. */
export interface MetricsExporter {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Host and port on which metrics are served. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the metrics at `/metrics` to every client that can reach the port, without authentication.
 * Rejects with the system's error if listening fails. If collecting metrics fails, calls
 * `onFailure` with the error and responds with 503.
 */
export async function serveMetrics(
  metrics: MetricsExporter,
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
