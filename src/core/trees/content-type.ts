const types: Readonly<Record<string, string>> = {
  cue: 'text/plain; charset=utf-8',
  gdi: 'text/plain; charset=utf-8',
  jpg: 'image/jpeg',
  lpl: 'application/json',
  m3u: 'audio/x-mpegurl',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
};

/** Returns the media type of a file of a tree by its name. */
export function contentTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return types[extension] ?? 'application/octet-stream';
}
