import type { Role, SessionRecord, User } from '../api/model.ts';

const order: readonly Role[] = ['user', 'editor', 'admin'];

interface SessionApi {
  read(): Promise<SessionRecord>;
  signIn(username: string, password: string): Promise<void>;
  signOut(): Promise<void>;
}

/**
 * The part of BroadcastChannel that the session uses. A message informs other tabs that a user has
 * signed in or out.
 */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** The session of this browser, which contains the signed-in user. All tabs share the session. */
export class Session {
  #record: SessionRecord | null = $state.raw(null);
  readonly #api: SessionApi;
  readonly #channel: Channel | null;

  constructor(api: SessionApi, channel: Channel | null) {
    this.#api = api;
    this.#channel = channel;
    if (channel) channel.onmessage = () => void this.load().catch(() => {});
  }

  /** True if the server has already sent the state of the session. */
  get isKnown(): boolean {
    return this.#record !== null;
  }
  get user(): User | null {
    return this.#record?.user ?? null;
  }
  /** Number of releases in the catalogue; null until the server has sent the number. */
  get releases(): number | null {
    return this.#record?.releases ?? null;
  }
  /** True if the user has a collection: the library has a file, or the store an archive. */
  get hasCollection(): boolean {
    return this.user !== null && (this.#record?.collection ?? false);
  }
  /** True if the user may download files of the library. */
  get canDownloadLibrary(): boolean {
    return this.user !== null && (this.#record?.library_downloads ?? false);
  }
  /** True if the user may make the server fetch the catalogue from its source. */
  get canFetchCatalogue(): boolean {
    return this.hasRole('editor') && (this.#record?.catalogue_source ?? false);
  }
  get needsSignIn(): boolean {
    return this.user === null && (this.#record?.sign_in_required ?? false);
  }

  hasRole(role: Role): boolean {
    return this.user !== null && order.indexOf(this.user.role) >= order.indexOf(role);
  }

  async load(): Promise<void> {
    this.#record = await this.#api.read();
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.#api.signIn(username, password);
    await this.#changed();
  }

  async signOut(): Promise<void> {
    await this.#api.signOut();
    await this.#changed();
  }

  /**
   * Records that the session has ended. Called when a request was refused because no user is signed
   * in.
   */
  markSignedOut(): void {
    if (this.#record?.user) this.#record = { ...this.#record, user: null };
  }

  async #changed(): Promise<void> {
    await this.load();
    this.#channel?.postMessage('changed');
  }
}
