import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request that the benchmark sends repeatedly. */
export interface Ask {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of the catalog, stored so that another server can send the same bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body in Base64, because the response is sent to another process as JSON. */
  readonly body: string;
}

/** Headers that every Node server adds automatically. */
const ownHeaders = ['date', 'connection', 'keep-alive'];

/** Sends each request once. Returns the responses by path. */
export async function answersOf(
  url: string,
  asks: readonly Ask[],
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const ask of asks) answers[ask.path] = await answerOf(url, ask);
  return answers;
}

export async function askJson<T>(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { body } = await answerOf(url, { path, headers });
  return JSON.parse(Buffer.from(body, 'base64').toString()) as T;
}

/** Sends a request and returns its response. Rejects if the status is neither 200 nor 304. */
export function answerOf(url: string, { path, headers = {} }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url + path, { headers }, (response) => {
      const { statusCode: status = 0 } = response;
      if (status !== 200 && status !== 304) reject(new Error(`${path} gave ${status}`));
      const kept = Object.entries(response.headers).filter(([name]) => !ownHeaders.includes(name));
      const answer = { status, headers: Object.fromEntries(kept) as Record<string, string> };
      buffer(response).then((bytes) => {
        resolve({ ...answer, body: bytes.toString('base64') });
      }, reject);
    }).on('error', reject);
  });
}
