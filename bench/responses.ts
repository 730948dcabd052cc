import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request that the benchmark sends repeatedly. */
export interface BenchRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of the catalog, stored so that another server can send the same bytes. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body in Base64, because the response is sent to another process as JSON. */
  readonly body: string;
}

/** Headers that every Node server adds automatically. */
const automaticHeaders = ['date', 'connection', 'keep-alive'];

/** Sends each request once. Returns the responses by path. */
export async function fetchResponses(
  url: string,
  requests: readonly BenchRequest[],
): Promise<Record<string, RecordedResponse>> {
  const responses: Record<string, RecordedResponse> = {};
  for (const request of requests) responses[request.path] = await fetchResponse(url, request);
  return responses;
}

export async function fetchJson<T>(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { body } = await fetchResponse(url, { path, headers });
  return JSON.parse(Buffer.from(body, 'base64').toString()) as T;
}

/** Sends a request and returns its response. Rejects if the status is neither 200 nor 304. */
export function fetchResponse(
  url: string,
  { path, headers = {} }: BenchRequest,
): Promise<RecordedResponse> {
  return new Promise((resolve, reject) => {
    get(url + path, { headers }, (response) => {
      const { statusCode: status = 0 } = response;
      if (status !== 200 && status !== 304) reject(new Error(`${path} gave ${status}`));
      const recordedHeaders = Object.entries(response.headers).filter(
        ([name]) => !automaticHeaders.includes(name),
      );
      const recorded = {
        status,
        headers: Object.fromEntries(recordedHeaders) as Record<string, string>,
      };
      buffer(response).then((bytes) => {
        resolve({ ...recorded, body: bytes.toString('base64') });
      }, reject);
    }).on('error', reject);
  });
}
