import type { Logger } from 'pino';
import type { Config } from '../../settings/config.ts';
import { findFilesOutage } from '../../wire/stored-files.ts';

/** Interval between two checks of a bucket that was unreachable at the start, in milliseconds. */
const checkIntervalMs = 10_000;

/**
 * Checks the file storage before the server starts. If the bucket is unreachable or full, logs that
 * the server starts without it, and logs again once the bucket is writable. Throws refused() if the
 * settings are wrong. Returns a function that ends the checks.
 */
export async function watchFilesAtStart(config: Config, log: Logger): Promise<() => void> {
  const outage = await findFilesOutage(config);
  if (outage === null) return () => undefined;
  log.warn(
    { reason: outage },
    'the files are unavailable: serving what the database knows; uploads and downloads get 503',
  );
  let last = outage;
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    const reason = await findFilesOutage(config).catch((error: Error) => error.message);
    isChecking = false;
    if (reason !== null && reason !== last) log.warn({ reason }, 'the files are still unavailable');
    last = reason ?? '';
    if (reason !== null) return;
    clearInterval(timer);
    log.info({}, 'the files are available');
  };
  const timer = setInterval(check, checkIntervalMs).unref();
  return () => clearInterval(timer);
}
