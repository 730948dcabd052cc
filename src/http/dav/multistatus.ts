import { xmlText } from '../../core/exports/write/xml-text.ts';
import { badRequest } from '../../core/shared/errors.ts';
import type { TreeEntry } from '../../core/trees/device-tree.ts';
import { httpDate } from '../shared/files/http-date.ts';
import { davNamespace, type PropertyName, type WantedProperties } from './read-propfind.ts';

export const multistatusStart =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n';
export const multistatusEnd = '</D:multistatus>\n';

/** The body of the response to a PROPFIND of unlimited depth (RFC 4918, 9.1.1 and 16). */
export const finiteDepthError =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n';

/** The names of all properties that a file or folder may have. */
const knownNames: ReadonlySet<string> = new Set([
  ...['resourcetype', 'displayname', 'getlastmodified'],
  ...['getcontentlength', 'getcontenttype', 'getetag'],
]);
/** Maximum length of the XML that lists unknown properties in each response, in characters. */
const maxUnknownLength = 4_096;

/** Returns the values of the properties that a file or folder has, as XML, by name. */
function propertiesOf(entry: TreeEntry): ReadonlyMap<string, string> {
  const { name, isFolder, size, mtimeMs, etag, type } = entry;
  const properties = new Map([
    ['resourcetype', isFolder ? '<D:collection/>' : ''],
    ['displayname', xmlText(name)],
  ]);
  if (mtimeMs > 0) properties.set('getlastmodified', httpDate(Math.min(mtimeMs, Date.now())));
  if (isFolder) return properties;
  return properties
    .set('getcontentlength', `${size}`)
    .set('getcontenttype', xmlText(type))
    .set('getetag', xmlText(etag));
}

/** Writes the `response` of a file or folder at a URL path. */
export type WriteResponse = (href: string, entry: TreeEntry) => string;

/**
 * Returns a function that writes responses with the wanted properties. Throws `bad request` if the
 * list of unknown properties is too long, because each response repeats it.
 */
export function responseWriter(wanted: WantedProperties): WriteResponse {
  if (typeof wanted === 'string') {
    const shownOf = (value: string) => (wanted === 'all' ? value : '');
    return (href, entry) => {
      const found = [...propertiesOf(entry)].map(([name, value]) => element(name, shownOf(value)));
      return response(href, found.join(''), '');
    };
  }
  const isKnown = ({ namespace, name }: PropertyName) =>
    namespace === davNamespace && knownNames.has(name);
  const names = new Set(wanted.filter(isKnown).map(({ name }) => name));
  const unknown = wanted
    .filter((property) => !isKnown(property))
    .map(unknownElement)
    .join('');
  if (unknown.length > maxUnknownLength) throw badRequest();
  return (href, entry) => {
    const properties = propertiesOf(entry);
    let [found, missing] = ['', unknown];
    for (const name of names) {
      const value = properties.get(name);
      if (value === undefined) missing += element(name, '');
      else found += element(name, value);
    }
    return response(href, found, missing);
  };
}

function response(href: string, found: string, missing: string): string {
  const stats = propstat(found, '200 OK') + propstat(missing, '404 Not Found');
  // A response has at least one `propstat`, even if no property was requested.
  const nothing = '<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>';
  return `<D:response><D:href>${xmlText(href)}</D:href>${stats || nothing}</D:response>\n`;
}

function propstat(elements: string, status: string): string {
  if (elements === '') return '';
  const prop = `<D:prop>${elements}</D:prop>`;
  return `<D:propstat>${prop}<D:status>HTTP/1.1 ${status}</D:status></D:propstat>`;
}

function element(name: string, value: string): string {
  return value === '' ? `<D:${name}/>` : `<D:${name}>${value}</D:${name}>`;
}

function unknownElement({ namespace, name }: PropertyName): string {
  if (namespace === davNamespace) return `<D:${name}/>`;
  return namespace === '' ? `<${name} xmlns=""/>` : `<x:${name} xmlns:x="${uriOf(namespace)}"/>`;
}

/**
 * Escapes a namespace for XML. Entities in the namespace stay as they are, because the request
 * already contained them in this form.
 */
function uriOf(namespace: string): string {
  return xmlText(namespace).replace(/&amp;(amp|lt|gt|quot|apos);/g, '&$1;');
}
