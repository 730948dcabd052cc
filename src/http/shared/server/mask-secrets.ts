/**
 * Matches the beginning of a device's URL path, up to the secret. A base path may precede `/play/`.
 */
const playPath = /^.*?\/play\//is;

/**
 * Returns a request's path for logs: without anything after `/play/`, where the path contains the
 * secret of a device. Such a path is recognised in any percent-encoding that the router decodes.
 */
export function maskSecrets(path: string): string {
  const [beginning] = playPath.exec(decodeAscii(path)) ?? [];
  return beginning === undefined ? path : `${beginning}***`;
}

/** Decodes the ASCII characters of a path. Other bytes stay encoded. */
function decodeAscii(path: string): string {
  return path.replace(/%[0-7][0-9a-f]/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
