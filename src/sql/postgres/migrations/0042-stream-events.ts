import { text } from './0028/texts.ts';

/**
 * Adds the kind `stream`: a file that a device read without copying it. `stream_key` identifies the
 * device, the file and the hour, so that many reads are one event.
 */
export const streamEvents = {
  version: 42,
  name: '0042-stream-events',
  statements: [
    'ALTER TABLE download_event DROP CONSTRAINT download_event_kind_check',
    `ALTER TABLE download_event ADD CONSTRAINT download_event_kind_check
      CHECK (kind IN ('archive', 'library', 'stream'))`,
    `ALTER TABLE download_event ADD COLUMN stream_key ${text}`,
    `CREATE UNIQUE INDEX download_event_of_stream ON download_event (stream_key)
      WHERE stream_key IS NOT NULL`,
  ],
};
