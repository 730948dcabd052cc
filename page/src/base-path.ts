/**
 * The path prefix of the server, such as `/catalog`. The server writes the prefix into the page.
 * Empty if the server has no prefix, or if there is no document.
 */
const base = globalThis.document?.documentElement.dataset.base ?? '';

/**
 * Returns the URL for a path on the server, which is either a screen, such as `/store`, or an API
 * path.
 */
export function at(path: string): string {
  return base + path;
}

/** Returns the path of a screen's URL without the server's prefix. */
export function pathOf({ pathname }: Pick<URL, 'pathname'>): string {
  return pathname.slice(base.length) || '/';
}
