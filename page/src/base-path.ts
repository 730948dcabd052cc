/**
 * The path prefix of the server, such as `/catalog`, which the server writes into the page. The
 * prefix is empty if the server has none, or if there is no document.
 */
const base = globalThis.document?.documentElement.dataset.base ?? '';

/**
 * Returns the URL for a path on the server. The path is either that of a screen, such as `/store`,
 * or an API path.
 */
export function withBasePath(path: string): string {
  return base + path;
}

/** Returns the path of a screen's URL without the server's prefix. */
export function pathOf({ pathname }: Pick<URL, 'pathname'>): string {
  return pathname.slice(base.length) || '/';
}
