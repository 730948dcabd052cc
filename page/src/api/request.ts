import { at } from '../base-path.ts';
import type { operations } from './schema.ts';

type Json<T> = T extends { responses: { 200: { content: { 'application/json': infer Answer } } } }
  ? Answer
  : never;

/** Type of the JSON response of an API operation, by the operation's id in the OpenAPI document. */
export type AnswerOf<Name extends keyof operations> = Json<operations[Name]>;

/** Thrown when the server responds with an error status. */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds to wait before retrying, or null if the server sent no `Retry-After` header. */
  readonly retryAfter: number | null;

  /** `detail` is the server's error text. */
  constructor(status: number, detail: string, retryAfter: number | null = null) {
    super(detail);
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

export interface Question {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** The request body, sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
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
 * Tells the registered function whether the server was reachable. Call `noteReachable` after
 * requests that do not use the functions of this module.
 */
export function noteReachable(isReachable: boolean): void {
  watcher(isReachable);
}

/**
 * Sends a request and returns the JSON of a successful response. Throws a Refusal if the server
 * responds with an error, Unreachable if no response arrives, or an AbortError.
 */
export async function ask<T>(method: string, path: string, question: Question = {}): Promise<T> {
  return (await askWhole<T>(method, path, question)).json;
}

/** Works like `ask`, and also returns the response headers. */
export async function askWhole<T>(
  method: string,
  path: string,
  { query, body, headers, signal }: Question = {},
): Promise<{ json: T; headers: Headers }> {
  const init: RequestInit = {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const answer = await accepted(path + queryText(query), init);
  return { json: (await answer.json()) as T, headers: answer.headers };
}

/**
 * Sends a request whose response has no body, and returns the response headers. Throws the same
 * errors as `ask`.
 */
export async function askHeaders(
  method: string,
  path: string,
  { query, headers, signal }: Omit<Question, 'body'> = {},
): Promise<Headers> {
  const init = { method, ...(headers && { headers }), ...(signal && { signal }) };
  return (await accepted(path + queryText(query), init)).headers;
}

/** Downloads a stored file, bypassing the browser's cache. Throws Refusal or Unreachable. */
export async function askFile(path: string): Promise<Blob> {
  return (await accepted(path, { cache: 'no-store' })).blob();
}

async function accepted(address: string, init: RequestInit): Promise<Response> {
  const answer = await reach(address, init);
  if (answer.ok) return answer;
  throw refusalOf(answer.status, await answer.text(), answer.headers.get('retry-after'));
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(at(address), init);
    if (answer.status === 502 || answer.status === 504)
      throw new TypeError('no server behind the proxy');
    noteReachable(true);
    return answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteReachable(false);
    throw new Unreachable(error);
  }
}

/** Builds a Refusal from a response's status, body and `Retry-After` header. */
export function refusalOf(status: number, text: string, retryAfter: string | null): Refusal {
  const seconds = Number(retryAfter ?? Number.NaN);
  return new Refusal(status, detailOf(text), Number.isFinite(seconds) ? seconds : null);
}

function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : '';
  } catch {
    return '';
  }
}

function queryText(query: Question['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
