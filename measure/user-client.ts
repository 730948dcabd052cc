import { adminPassword } from './program.ts';

/** Request timeout, in milliseconds. */
const requestTimeoutMs = 15_000;

/** The response to a request, or its absence. */
export interface ApiResponse {
  /** The status, or 0 if no complete response arrived. */
  readonly status: number;
  /** The parsed body; null if it is not JSON. */
  readonly json: unknown;
  readonly headers: Headers;
  readonly ms: number;
}

/** A request, which may have a JSON body or a form with a file. */
export interface ApiRequest {
  /** The default is POST if there is a body, otherwise GET. */
  readonly method?: string;
  readonly json?: object;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };
  /** Token to send instead of the user's token. */
  readonly token?: string | null;
}

/** A user of one server, identified by a token. */
export class UserClient {
  readonly token: string;
  readonly #url: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.token = token;
  }

  /** Sends a request and returns the response. Never rejects. */
  request(path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    return sendRequest(this.#url + path, { ...request, token: request.token ?? this.token });
  }

  /** Returns the body of the response for a path, or null if the status is not 200. */
  async bytes(path: string): Promise<Uint8Array | null> {
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(this.#url + path, { headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return response.status === 200 ? bytes : null;
  }

  upload(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<ApiResponse> {
    return this.request('/api/store/upload', { file: { name, bytes } });
  }

  putCover(releaseId: number, bytes: Uint8Array<ArrayBuffer>): Promise<ApiResponse> {
    return this.request(`/api/cover/${releaseId}`, { file: { name: 'cover', bytes } });
  }
}

/** Logs in, by default as the first admin. Throws if the server refuses the login. */
export async function openUserClient(
  url: string,
  username = 'admin',
  password = adminPassword,
): Promise<UserClient> {
  const { status, json } = await logIn(url, username, password);
  if (status !== 200) throw new Error(`the login of ${username} was answered with ${status}`);
  return new UserClient(url, (json as { token: string }).token);
}

/**
 * Creates an account with this role and logs in with it. Throws if the server refuses the account
 * or the login.
 */
export async function createUserClient(
  url: string,
  admin: UserClient,
  username: string,
  role: string,
) {
  const password = `password of ${username}`;
  const { status } = await admin.request('/api/users', { json: { username, password, role } });
  if (status !== 200) throw new Error(`no account ${username} was made: ${status}`);
  return openUserClient(url, username, password);
}

export function logIn(
  url: string,
  username = 'admin',
  password = adminPassword,
): Promise<ApiResponse> {
  return sendRequest(`${url}/api/auth/login`, { json: { username, password } });
}

/** Sends one request, with a timeout. Never rejects. */
async function sendRequest(
  url: string,
  { method, json, file, token }: ApiRequest,
): Promise<ApiResponse> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(json && { 'content-type': 'application/json' }),
  };
  const body = file ? formOf(file) : json && JSON.stringify(json);
  const sentAt = performance.now();
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      signal,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const ms = performance.now() - sentAt;
    return { status: response.status, json: parseJson(text), headers: response.headers, ms };
  } catch {
    return { status: 0, json: null, headers: new Headers(), ms: performance.now() - sentAt };
  }
}

function formOf({ name, bytes }: NonNullable<ApiRequest['file']>): FormData {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  return form;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
