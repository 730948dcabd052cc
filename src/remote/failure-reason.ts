/**
 * Returns in one line why a source could not be reached, from an error of the system, the
 * connection or TLS.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  // All addresses of a host were tried; the aggregate error itself has no useful message.
  if (error instanceof AggregateError) return failureReason(error.errors[0]);
  const code = 'code' in error ? String(error.code) : '';
  if (handshakeCodes.test(code)) {
    // OpenSSL says: write EPROTO <thread>:error:<number>:SSL
    // routines:<function>:<reason>:<file>:<line>:
    return `the TLS handshake fails: ${oneLine(error.message.split(':')[5] ?? error.message)}`;
  }
  if (certificateCodes.test(code)) {
    // The text after a semicolon is advice for running Node by hand.
    return `its certificate is not trusted: ${oneLine(error.message.split(';', 1)[0] ?? '')}`;
  }
  return oneLine(error.message) || code || error.name;
}

/** Codes of OpenSSL errors: the system call that failed, or Node's own name. */
const handshakeCodes = /^(EPROTO$|ERR_SSL_)/;

/**
 * Codes of certificate errors: Node's documentation, TLS, "X509 certificate error codes", and the
 * one for a wrong host name.
 */
const certificateCodes =
  /^(CERT|CRL|UNABLE_TO|ERROR_IN_C|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500);
}
