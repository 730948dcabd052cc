import type { TreeEntry } from '../../core/trees/device-tree.ts';

/** The forms of a listing. */
export type ListingForm = 'text' | 'html';

/**
 * Returns `text` for clients that prefer `text/plain`, as PPSSPP does, and for older versions of
 * PPSSPP, which accept anything. Returns `html` for all other clients. The HTML has the form of
 * nginx's listings, which Kodi, rclone and browsers read.
 */
export function listingForm(headers: {
  readonly accept?: string | undefined;
  readonly 'user-agent'?: string | undefined;
}): ListingForm {
  const { accept = '', 'user-agent': program = '' } = headers;
  const text = qualityOf('text/plain', accept);
  if (text > 0) return text >= qualityOf('text/html', accept) ? 'text' : 'html';
  return program.startsWith('PPSSPP/') && qualityOf('text/html', accept) === 0 ? 'text' : 'html';
}

/** Returns the quality of a type that an `Accept` header names; 0 if it does not name the type. */
function qualityOf(type: string, accept: string): number {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2);
    const value = quality === undefined ? 1 : Number(quality);
    return Number.isFinite(value) ? value : 0;
  }
  return 0;
}

/**
 * Returns one percent-encoded name per line; folders end in `/`. The names are relative to the
 * folder, because PPSSPP 1.17 and later append each line to the folder's URL, even a line that
 * begins with `/`. Earlier versions resolve a line like a link.
 */
export function textListing(entries: readonly TreeEntry[]): string {
  return entries.map((entry) => `${linkOf(entry)}\n`).join('');
}

/**
 * Returns an HTML page with one link per line. Kodi accepts only links whose text equals the
 * decoded link. PPSSPP treats every quoted string as a link, so nothing else may be in quotes.
 */
export function htmlListing(title: string, entries: readonly TreeEntry[], isTop: boolean): string {
  const up = isTop ? [] : ['<a href="../">../</a>'];
  const lines = entries.map((entry) => {
    const name = escapeHtml(entry.isFolder ? `${entry.name}/` : entry.name);
    return `<a href="${linkOf(entry)}">${name}</a> ${dateOf(entry)} ${entry.isFolder ? '-' : entry.size}`;
  });
  return [
    `<!doctype html><meta charset=utf-8><title>${escapeHtml(title)}</title>`,
    `<h1>${escapeHtml(title)}</h1><hr><pre>`,
    ...up,
    ...lines,
    '</pre><hr>\n',
  ].join('\n');
}

const linkOf = ({ name, isFolder }: TreeEntry) => `${encodeName(name)}${isFolder ? '/' : ''}`;

/**
 * Percent-encodes a name, including `'`, which would end a quoted string, and other characters that
 * `encodeURIComponent` keeps.
 */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? '');

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Returns a date as nginx lists it, `26-Nov-2026 14:28` in UTC; `-` if it is unknown. */
function dateOf({ mtimeMs }: TreeEntry): string {
  if (mtimeMs === 0) return '-';
  const date = new Date(mtimeMs);
  const [day, hour, minute] = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()].map(
    (part) => `${part}`.padStart(2, '0'),
  );
  return `${day}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()} ${hour}:${minute}`;
}
