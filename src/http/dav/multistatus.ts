import { xmlText } from '../../core/exports/write/xml-text.ts';
import type { TreeEntry } from '../../core/trees/device-tree.ts';
import { httpDate } from '../shared/files/http-date.ts';
import { davNamespace, type PropertyName, type WantedProperties } from './read-propfind.ts';

export const multistatusStart =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n';
export const multistatusEnd = '</D:multistatus>\n';

/** The body of the response to a PROPFIND of unlimited depth (RFC 4918, 9.1.1 and 16). */
export const finiteDepthError =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>\n';

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

/** Returns the `response` of a file or folder with the wanted properties. */
export function responseOf(href: string, entry: TreeEntry, wanted: WantedProperties): string {
  const known = propertiesOf(entry);
  const found: string[] = [];
  const missing: string[] = [];
  if (typeof wanted === 'string') {
    for (const [name, value] of known) found.push(element(name, wanted === 'all' ? value : ''));
  } else {
    for (const property of wanted) {
      const { namespace, name } = property;
      const value = namespace === davNamespace ? known.get(name) : undefined;
      if (value === undefined) missing.push(foreignElement(property));
      else found.push(element(name, value));
    }
  }
  const parts = [propstat(found, '200 OK'), propstat(missing, '404 Not Found')];
  // A response has at least one `propstat`, although nothing was asked for.
  const stats =
    parts.join('') || '<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>';
  return `<D:response><D:href>${xmlText(href)}</D:href>${stats}</D:response>\n`;
}

function propstat(elements: readonly string[], status: string): string {
  if (elements.length === 0) return '';
  const prop = `<D:prop>${elements.join('')}</D:prop>`;
  return `<D:propstat>${prop}<D:status>HTTP/1.1 ${status}</D:status></D:propstat>`;
}

function element(name: string, value: string): string {
  return value === '' ? `<D:${name}/>` : `<D:${name}>${value}</D:${name}>`;
}

function foreignElement({ namespace, name }: PropertyName): string {
  if (namespace === davNamespace) return `<D:${name}/>`;
  return namespace === '' ? `<${name} xmlns=""/>` : `<x:${name} xmlns:x="${uriOf(namespace)}"/>`;
}

/** Returns a namespace as the request wrote it: its `&` may begin an entity. */
function uriOf(namespace: string): string {
  return xmlText(namespace).replace(/&amp;(amp|lt|gt|quot|apos);/g, '&$1;');
}
