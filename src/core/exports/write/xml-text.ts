/**
 * Escapes text for XML 1.0. Removes characters that XML does not allow: control characters and
 * lone surrogates (https://www.w3.org/TR/xml/#charsets).
 */
export function xmlText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns a line with an element, or nothing if the text is empty. */
export function xmlElement(name: string, text: string): string {
  const content = xmlText(text).trim();
  return content === '' ? '' : `\t\t<${name}>${content}</${name}>\n`;
}
