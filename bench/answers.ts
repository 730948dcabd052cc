import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What the catalog answered to a path, so that another server can answer the same bytes. */
export interface Answer {
  readonly headers: Record<string, string>;
  /** Base64, to be sent to another process. */
  readonly body: string;
}

/** Headers that every Node server adds by itself. */
const ownHeaders = ['date', 'connection', 'keep-alive'];

/** Asks for each path once. */
export async function answersOf(
  url: string,
  paths: readonly string[],
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const path of paths) answers[path] = await answerOf(url + path);
  return answers;
}

export async function askJson<T>(url: string): Promise<T> {
  const { body } = await answerOf(url);
  return JSON.parse(Buffer.from(body, 'base64').toString()) as T;
}

function answerOf(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} gave ${response.statusCode}`));
      const headers = Object.entries(response.headers).filter(
        ([name]) => !ownHeaders.includes(name),
      );
      const answer = { headers: Object.fromEntries(headers) as Record<string, string> };
      buffer(response).then((bytes) => {
        resolve({ ...answer, body: bytes.toString('base64') });
      }, reject);
    }).on('error', reject);
  });
}
