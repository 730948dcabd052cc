import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import type { S3Client } from '@aws-sdk/client-s3';

/** Location of objects, and the credentials for the store. */
export interface BucketConfig {
  readonly bucket: string;
  /** Prefix of every key, without leading or trailing slashes; "" for no prefix. */
  readonly prefix: string;
  /** URL of the S3 server, such as `https://s3.example.org`. */
  readonly endpoint: string;
  /** URL of the S3 server in signed URLs, if clients reach the server at another URL. */
  readonly publicEndpoint?: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * Maximum number of connections. A response that is read slowly occupies a connection. Further
 * requests wait until a connection is free.
 */
const maxConnections = 1_000;
/**
 * Maximum number of received but unread bytes per connection. The limit is small, because each slow
 * reader occupies a connection.
 */
const maxUnreadBytes = 16 * 1024;
const connectMs = 2_000;
/**
 * Milliseconds without traffic after which a connection is closed. If the cause was a client that
 * reads slowly, `ObjectReader` requests the rest again.
 */
const idleMs = 60_000;

/** Size of the buffer into which a connection reads, in bytes. */
const receiveBytes = 64 * 1024;

/**
 * An agent whose connections read into one buffer each. Otherwise Node would allocate memory for
 * each read, which takes a third of the processor time of a large response. The parser copies the
 * body out of the buffer. Connections with TLS are not changed, because they receive small pieces.
 */
class OneBufferAgent extends http.Agent {
  override createConnection(options: http.ClientRequestArgs): net.Socket {
    const buffer = Buffer.allocUnsafeSlow(receiveBytes);
    const callback = (length: number): boolean => {
      socket.emit('data', buffer.subarray(0, length));
      return true;
    };
    const socket: net.Socket = net.connect({
      ...(options as net.NetConnectOpts),
      onread: { buffer, callback },
    });
    return socket;
  }
}

/** The S3 client, and the constructors of its requests. */
export interface LoadedClient {
  readonly s3: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  close(): void;
}

/**
 * Loads the S3 client. The module is imported on demand, because loading it is slow and needs much
 * memory.
 */
export async function loadClient(config: BucketConfig): Promise<LoadedClient> {
  const s3 = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKey: accessKeyId, secretKey: secretAccessKey } = config;
  const options = { keepAlive: true, maxSockets: maxConnections, highWaterMark: maxUnreadBytes };
  const agents = endpoint.startsWith('https:')
    ? { httpsAgent: new https.Agent(options) }
    : { httpAgent: new OneBufferAgent(options) };
  const client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1, // `sendWithRetries` retries instead, also with streams
    // Servers other than AWS do not understand the newer checksums (Ceph 16, Swift).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} }, // avoids output on the console
    requestHandler: { ...agents, connectionTimeout: connectMs, socketTimeout: idleMs },
  });
  const agent = agents.httpsAgent ?? agents.httpAgent;
  return {
    s3,
    client,
    close() {
      client.destroy();
      agent.destroy();
    },
  };
}
