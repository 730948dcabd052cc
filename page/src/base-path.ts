/** The path below which the server lies, `/catalog`, as it wrote it into the page; "" at the root, and without a page. */
const base = globalThis.document?.documentElement.dataset.base ?? '';

/** The address of a path of the server: of a screen, `/store`, or of the API. */
export function at(path: string): string {
  return base + path;
}

/** The path of a screen, wherever the server lies. */
export function pathOf({ pathname }: Pick<URL, 'pathname'>): string {
  return pathname.slice(base.length) || '/';
}
