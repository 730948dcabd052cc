import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
} from 'fastify';
import { methodNotAllowed, notFound, stopping } from '../../../core/shared/errors.ts';
import type { CachedResponses } from '../response-cache/cached-responses.ts';
import { serveFromCache } from '../response-cache/serve-from-cache.ts';
import { AllowedMethods } from './allowed-methods.ts';
import { BasePath } from './base-path.ts';
import { enterClientContext, readAddresses } from './client-context.ts';
import { exemptFromIdleTimeout } from './connections.ts';
import type { Departure } from './departure.ts';
import { closeIdleAtStop } from './idle-at-stop.ts';
import { checkHost, knownHosts } from './known-hosts.ts';
import { lazySerializers } from './lazy-serializers.ts';
import { RawTargets } from './raw-targets.ts';
import { RefusalLog } from './refusal-log.ts';
import { MalformedRequests } from './refuse-malformed.ts';
import { checkHead } from './request-head.ts';
import { logReply, type RequestLogOptions, requestIdGenerator } from './request-log.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { type ErrorBody, sendError } from './send-error.ts';
import { discardUnreadBody } from './unread-body.ts';

export interface ServerOptions extends RequestLogOptions {
  /** Networks (CIDR) of proxies whose forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Path prefix of all URLs, such as `/catalog`; "" for the root. */
  readonly basePath: string;
  /**
   * Origins at which clients reach the server. Requests for other hosts are refused. If empty, no
   * host is refused.
   */
  readonly publicUrls: readonly string[];
  /** Returns true once the stopping server refuses new requests on open connections. */
  readonly isStopping: () => boolean;
  /** Refuses health checks once the stop of the server is announced. */
  readonly departure?: Departure;
  /** Requests wait for this promise, because a server listens on its port before it can respond. */
  readonly whenReady?: Promise<void>;
}

/** The settings in which the two APIs differ. */
export interface ApiConventions {
  readonly errorBody: ErrorBody;
  /** True to treat `/api/store/` as `/api/store`. */
  readonly ignoresTrailingSlash?: boolean;
  /** Cache of public responses, which are sent without an access check. */
  readonly cached?: CachedResponses;
}

/** An app that can listen. The code that starts and stops the app uses this type. */
export type HttpApp = Pick<FastifyInstance, 'listen' | 'close' | 'server'>;

/**
 * Time without any traffic after which a connection is closed, in milliseconds. Slow but steady
 * connections stay open.
 */
const idleMs = 30_000;
/** Maximum total size of a request line and its header fields, in bytes. */
const maxHeaderBytes = 16_384;

/** Creates the server of one API. Everything that both APIs have in common is set up here. */
export function createServer(
  options: ServerOptions,
  { errorBody, ignoresTrailingSlash = false, cached }: ApiConventions,
): FastifyInstance {
  const refusals = new RefusalLog(options.log);
  const malformed = new MalformedRequests(errorBody, refusals);
  const nextRequestId = requestIdGenerator();
  const isKnownHost = knownHosts(options.publicUrls);
  const basePath = options.basePath === '' ? null : new BasePath(options.basePath);
  const app = Fastify({
    ...(basePath && { rewriteUrl: basePath.rewrite }),
    genReqId: nextRequestId,
    loggerInstance: warningsOnly(options.log),
    childLoggerFactory: (_log, bindings, opts) => options.log.child(bindings, opts),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    connectionTimeout: idleMs,
    keepAliveTimeout: idleMs,
    return503OnClosing: false,
    schemaController: { compilersFactory: lazySerializers },
    forceCloseConnections: 'idle',
    // Let the router accept names of any length. A name that is too long does not exist, but the
    // client must learn this only after access is checked.
    routerOptions: { maxParamLength: maxHeaderBytes, ignoreTrailingSlash: ignoresTrailingSlash },
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false, // Node's refusal lacks our error format; see `checkHead`
    },
    frameworkErrors(error, request, reply) {
      // The router runs no hooks for a path that it refuses itself, such as a path with a malformed
      // `%`. Therefore the work of the hooks is done here.
      setSecurityHeaders(request, reply, () => {});
      reply.raw.once('finish', () => logReply(options, request, reply));
      sendError(error, request, reply, errorBody);
    },
    clientErrorHandler(error, socket) {
      if (!rawTargets.takeOver(error, socket)) malformed.refuse(error, socket);
    },
  });
  const rawTargets = new RawTargets(app.server, {
    waitForResponse: (socket) => malformed.waitForResponse(socket),
    refuse: (error, socket) => malformed.refuse(error, socket),
    maxBytes: maxHeaderBytes,
  });
  readAddresses(app.server);
  const isServed = (host: string) => !options.isStopping() && isKnownHost(host);
  if (cached !== undefined) {
    serveFromCache(app.server, { responses: cached, isServed, nextRequestId, logOptions: options });
  }
  malformed.follow(app.server);
  // Let `checkHead` refuse these requests, because Node's own refusal would lack our error format.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  closeIdleAtStop(app);
  exemptFromIdleTimeout(app.server);
  app.addHook('onClose', async () => refusals.flush());
  const methods = new AllowedMethods();
  app.addHook('onRoute', (route) => methods.add(route.method, route.url));
  app.decorateRequest('username');
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, errorBody));
  // Routes read the bodies themselves, after access is checked.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // These hooks use callbacks, because a promise per hook would cost more than the hook itself.
  app.addHook('onRequest', waitUntil(options.whenReady));
  if (options.trustedProxies.length > 0) app.addHook('onRequest', stripForwardedPorts);
  app.addHook('onRequest', enterClientContext);
  app.addHook('onRequest', setSecurityHeaders);
  app.addHook('onRequest', checkHead);
  if (basePath !== null) app.addHook('onRequest', basePath.refuseOutside);
  if (options.publicUrls.length > 0) app.addHook('onRequest', checkHost(isKnownHost));
  app.addHook('onRequest', (_request, reply, done) => {
    if (!options.isStopping()) return done();
    reply.header('connection', 'close');
    done(stopping());
  });
  app.addHook('onSend', discardUnreadBody);
  app.addHook('onResponse', (request, reply, done) => {
    logReply(options, request, reply);
    done();
  });
  const noRouteError = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?');
    const isSlashed = ignoresTrailingSlash && path.length > 1 && path.endsWith('/');
    const allowed = methods.of(isSlashed ? path.slice(0, -1) : path);
    if (allowed === null) return notFound();
    reply.header('allow', allowed.join(', '));
    return methodNotAllowed();
  };
  app.setNotFoundHandler((request, reply) => {
    throw noRouteError(request, reply);
  });
  // No path supports QUERY. Refuse QUERY here, because the framework would first demand a content
  // type.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'QUERY') done(noRouteError(request, reply));
    else done();
  });
  return app;
}

/** Returns an `onRequest` hook that makes requests wait until `ready` resolves. */
function waitUntil(ready: Promise<void> = Promise.resolve()): onRequestHookHandler {
  let isReady = false;
  const becameReady = ready.then(() => {
    isReady = true;
  });
  // Ignore a failure here. The creator of the promise and each waiting request handle the failure.
  becameReady.catch(() => {});
  return (_request, _reply, done) => {
    if (isReady) return done();
    becameReady.then(() => done(), done);
  };
}

/**
 * Returns the logger for Fastify's own lines, limited to warnings. Fastify's "Server listening at
 * ..." would repeat our line, once per address of the machine.
 */
function warningsOnly(log: FastifyBaseLogger): FastifyBaseLogger {
  const saysMore = log.level === 'debug' || log.level === 'info';
  return saysMore ? log.child({}, { level: 'warn' }) : log;
}

/**
 * An `onRequest` hook that removes ports from the addresses in `X-Forwarded-For`, because some
 * proxies add them. With ports, each connection of a client would seem to have a different address.
 */
async function stripForwardedPorts({ raw }: FastifyRequest): Promise<void> {
  const forwarded = raw.headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return;
  raw.headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',');
}

/**
 * Removes the port and brackets of an address: `10.0.0.3:1234` becomes `10.0.0.3`; `[::1]:1234` and
 * `[::1]` become `::1`. Returns any other text unchanged.
 */
function withoutPort(entry: string): string {
  const address = entry.trim();
  const [, ipv6] = /^\[([^\]]*)\](?::\d*)?$/.exec(address) ?? [];
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+):\d*$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
