import { withBasePath } from '../base-path.ts';
import type {
  JsonOf,
  Method,
  Parameters,
  PathOf,
  RequestArguments,
  RequestOptions,
  ResponseAt,
} from './request-types.ts';
import type { operations } from './schema.ts';

/** Type of the JSON response of an API operation, by the operation's id in the OpenAPI document. */
export type ResponseOf<Name extends keyof operations> = JsonOf<operations[Name]>;

/** Thrown when the server responds with an error status. */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds to wait before retrying, or null if the server sent no `Retry-After` header. */
  readonly retryAfter: number | null;
  /** The parsed JSON of the response; undefined if the body is not JSON. */
  readonly json: unknown;

  /** `detail` is the server's error text. */
  constructor(status: number, detail: string, retryAfter: number | null = null, json?: unknown) {
    super(detail);
    this.json = json;
    this.name = 'Refusal';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Thrown when no response arrives because the server or the network is unreachable. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('unreachable', { cause });
    this.name = 'Unreachable';
  }
}

type Values = Readonly<Record<string, string | number | undefined>>;

/** `RequestOptions` for any method and path. */
interface AnyRequestOptions {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

type Watcher = (isReachable: boolean) => void;
let watcher: Watcher = () => {};

/**
 * Registers a function that is called after every request. Its argument is true if the server was
 * reachable. A second call replaces the first function.
 */
export function watchReachability(watch: Watcher): void {
  watcher = watch;
}

/**
 * Reports to the registered function whether the server was reachable. Call `reportReachability`
 * after requests that do not use the functions of this module.
 */
export function reportReachability(isReachable: boolean): void {
  watcher(isReachable);
}

/**
 * Sends a request and returns the JSON of a successful response. Throws a Refusal if the server
 * responds with an error, Unreachable if no response arrives, or an AbortError.
 */
export async function requestJson<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...options: RequestArguments<RequestOptions<M, P>>
): Promise<ResponseAt<M, P>> {
  return (await requestJsonAndHeaders(method, path, ...options)).json;
}

/** Works like `requestJson`, and also returns the response headers. */
export async function requestJsonAndHeaders<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...options: RequestArguments<RequestOptions<M, P>>
): Promise<{ json: ResponseAt<M, P>; headers: Headers }> {
  const { body, headers, signal, ...rest } = (options[0] ?? {}) as AnyRequestOptions;
  const init: RequestInit = {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await accepted(filled(path, rest.path) + queryText(rest.query), init);
  return { json: (await response.json()) as ResponseAt<M, P>, headers: response.headers };
}

/**
 * Sends a request whose response has no body, and returns the response headers. Throws the same
 * errors as `requestJson`.
 */
export async function requestHeaders<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...options: RequestArguments<RequestOptions<M, P>>
): Promise<Headers> {
  const { headers, signal, ...rest } = (options[0] ?? {}) as AnyRequestOptions;
  const init = { method, ...(headers && { headers }), ...(signal && { signal }) };
  return (await accepted(filled(path, rest.path) + queryText(rest.query), init)).headers;
}

/**
 * Sends a HEAD request. Resolves if a GET request for this path would succeed. Throws the same
 * errors as `requestJson`.
 */
export async function requestHead<P extends PathOf<'GET'>>(
  path: P,
  parameters: Parameters<'GET', P>,
): Promise<void> {
  const { path: values } = parameters as AnyRequestOptions;
  await accepted(filled(path, values), { method: 'HEAD' });
}

/** Downloads a stored file, bypassing the browser's cache. Throws Refusal or Unreachable. */
export async function requestBlob<P extends PathOf<'GET'>>(
  path: P,
  parameters: Parameters<'GET', P>,
): Promise<Blob> {
  const { path: values } = parameters as AnyRequestOptions;
  return (await accepted(filled(path, values), { cache: 'no-store' })).blob();
}

/**
 * Returns the URL of a request with these parameters, for links and for requests that other code
 * sends.
 */
export function requestUrl<M extends Method, P extends PathOf<M>>(
  _method: M,
  path: P,
  parameters: Parameters<M, P> & Pick<RequestOptions<M, P>, 'query'>,
): string {
  const { path: values, query } = parameters as AnyRequestOptions;
  return withBasePath(filled(path, values) + queryText(query));
}

async function accepted(url: string, init: RequestInit): Promise<Response> {
  const response = await reach(url, init);
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text(), response.headers.get('retry-after'));
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(withBasePath(url), init);
    if (response.status === 502 || response.status === 504)
      throw new TypeError('no server behind the proxy');
    reportReachability(true);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    reportReachability(false);
    throw new Unreachable(error);
  }
}

/** Builds a Refusal from a response's status, body and `Retry-After` header. */
export function refusalOf(status: number, text: string, retryAfter: string | null): Refusal {
  const seconds = Number(retryAfter ?? Number.NaN);
  const json = parsed(text);
  const detail = json?.detail;
  return new Refusal(
    status,
    typeof detail === 'string' ? detail : '',
    Number.isFinite(seconds) ? seconds : null,
    json,
  );
}

function parsed(text: string): { readonly detail?: unknown } | undefined {
  try {
    return (JSON.parse(text) as object | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns a path of the OpenAPI document with its parameters replaced by `values`. */
function filled(path: string, values: Values = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
}

function queryText(query: Values = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
