import type { Generated } from 'kysely';

/** Uploads and their bytes. */
export interface UploadTables {
  /** A file that is being uploaded, or was uploaded, in chunks. */
  upload: {
    id: Generated<number>;
    user_id: number;
    /** JSON of Actor. */
    actor: string;
    system: 'games' | 'videos' | 'dats';
    /** The folder in which the bytes are stored. */
    folder: string;
    filename: string;
    size: number;
    /** Number of bytes that are stored durably. */
    received: Generated<number>;
    replaces: boolean;
    /** The metadata, unchanged as the client sent it. */
    metadata: string;
    state: 'receiving' | 'checking' | 'done' | 'failed';
    detail: string | null;
    sha256: string | null;
    /** The process that checks the uploaded file. */
    owner: string | null;
    expires_at: string | null;
  };
  /** Chunks of uploads. `start` is the byte offset at which the chunk begins. */
  upload_chunk: { upload_id: number; start: number; size: number; sha256: string };
  /** A chunked upload whose bytes are stored in an object store. */
  object_upload: {
    folder: string;
    /** Key that the complete object will have. */
    key: string;
    /** Id of the multipart upload to which the uploaded parts belong; null if there is none. */
    parts_id: string | null;
    /** Size of the complete object. Null until all pieces are combined into the object. */
    whole_size: number | null;
  };
  /**
   * A piece of an upload in an object store. The piece begins at the byte offset `start`. The piece
   * is either an object of its own or a part of the complete object.
   */
  object_piece: {
    folder: string;
    start: number;
    size: number;
    key: string | null;
    part: number | null;
    part_tag: string | null;
  };
}
