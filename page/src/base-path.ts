/**
 * The path prefix of the server, such as `/catalog`, which it writes into the page. Empty at the
 * root, or outside a page.
 */
const base = globalThis.document?.documentElement.dataset.base ?? '';

/** Returns the URL for a path of the server: of a screen, such as `/store`, or of the API. */
export function at(path: string): string {
  return base + path;
}

/** Returns the path of a screen without the server's prefix. */
export function pathOf({ pathname }: Pick<URL, 'pathname'>): string {
  return pathname.slice(base.length) || '/';
}
