/**
 * Returns one line that says why a server could not be reached. `error` may come from the system,
 * the connection or TLS.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  // Node throws an AggregateError if it tried several addresses of a host. The AggregateError's own
  // message says nothing, so use the first error.
  if (error instanceof AggregateError) return failureReason(error.errors[0]);
  const code = 'code' in error ? String(error.code) : '';
  if (handshakeCodes.test(code)) {
    // OpenSSL's message is: write EPROTO <thread>:error:<number>:SSL
    // routines:<function>:<reason>:<file>:<line>. Return only the reason.
    return `the TLS handshake fails: ${oneLine(error.message.split(':')[5] ?? error.message)}`;
  }
  if (certificateCodes.test(code)) {
    // The text after the semicolon is advice for starting Node with an option, so remove it.
    return `its certificate is not trusted: ${oneLine(error.message.split(';', 1)[0] ?? '')}`;
  }
  return oneLine(error.message) || code || error.name;
}

/**
 * Error codes of a failed TLS handshake: EPROTO of the system call, or a name that Node gives to
 * OpenSSL's error.
 */
const handshakeCodes = /^(EPROTO$|ERR_SSL_)/;

/**
 * Error codes of invalid certificates (Node's documentation, TLS, "X509 certificate error codes"),
 * and Node's code for a wrong host name.
 */
const certificateCodes =
  /^(CERT|CRL|UNABLE_TO|ERROR_IN_C|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500);
}
