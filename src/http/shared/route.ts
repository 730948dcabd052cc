import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { CatalogError } from '../../core/shared/errors.ts';

/** What the OpenAPI document says of one endpoint beside its path and access. */
export interface RouteDescription {
  /** What it does, in one line. */
  readonly summary: string;
  readonly params?: TObject;
  /** Each parameter has a default or is optional, so that none is required. */
  readonly query?: TObject;
  /** Header fields of the request that it reads, with their descriptions. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** What it reads of a body: a JSON object, one uploaded file, a chunk of one (tus), or (absent) nothing. */
  readonly body?: TObject | 'upload' | 'chunk';
  /** What a 200 holds. */
  readonly answer: TSchema | FileContent | NoContent | TextContent;
  /** Header fields of every answer, refusals too. */
  readonly everyAnswer?: Readonly<Record<string, string>>;
  /** Headers that a 200 may have, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * It sends a strong `ETag`, and honours `If-None-Match` with 304 where it reads, `If-Match` with 412 (which its failures
   * name) where it writes. `read-mostly`: but for answers that are made piece by piece.
   */
  readonly entityTag?: 'read' | 'read-mostly' | 'write';
  /** Without credentials it is answered too, but it reads those that are sent. */
  readonly readsCredentials?: true;
  /** The failures that it has beyond those that follow from its path, body and access. */
  readonly failures?: readonly CatalogError[];
}

/** One endpoint of an API whose handlers work with `Parts`. */
export interface Route<
  Parts,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject = TObject,
> extends RouteDescription {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B | 'upload' | 'chunk';
  /** Resolves with the JSON of a 200, or sends the answer itself. */
  handle(call: Call<Parts, P, Q, B>): Promise<unknown>;
}

/** One request, as a handler takes it. */
export interface Call<Parts, P extends TObject, Q extends TObject, B extends TObject> {
  readonly parts: Parts;
  readonly params: Static<P>;
  readonly query: Static<Q>;
  /**
   * The known fields of the JSON body, which is validated by this call: to be made once it is known that the path's
   * object exists. Throws `invalid JSON body`, or 422 naming the first field of the wrong type.
   */
  body(): Static<B>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A text of this content type that is made as its reader takes it; a browser saves it. */
export class TextContent {
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }
}

/** The bytes of a file, of one of these content types, sent with `sendFile`. */
export class FileContent {
  readonly types: readonly string[];
  /** Whether a browser saves it under a name instead of showing it. */
  readonly isAttachment: boolean;

  constructor(types: readonly string[], { isAttachment }: { isAttachment: boolean }) {
    this.types = types;
    this.isAttachment = isAttachment;
  }
}

/** An answer without a body: its status, and the header fields that it may have with their descriptions. */
export class NoContent {
  readonly status: 200 | 201 | 204;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: 200 | 201 | 204, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.headers = headers;
  }
}
