import { text } from './0028/texts.ts';

/**
 * Adds the kind of a download: an archive of the store, or a file of the library. The counts of
 * days contain only archives. The partial index lists the newest downloads of archives.
 */
export const libraryDownloads = {
  version: 36,
  name: '0036-library-downloads',
  statements: [
    `ALTER TABLE download_event ADD COLUMN kind ${text} NOT NULL DEFAULT 'archive'
      CHECK (kind IN ('archive', 'library'))`,
    `CREATE INDEX download_event_of_archive ON download_event (id) WHERE kind = 'archive'`,
    `CREATE OR REPLACE FUNCTION download_counted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO pending_download (xact, day, count, bytes)
          SELECT pg_current_xact_id(), left(created_at, 10), count(*), sum(bytes) FROM new_rows
          WHERE kind = 'archive' GROUP BY 2;
        IF FOUND THEN PERFORM note_pending('downloads'); END IF;
        RETURN NULL;
      END $$`,
  ],
};
