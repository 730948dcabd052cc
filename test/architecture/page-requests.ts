const requests = [
  /(?<![\w.'"-])fetch\b(?!\w)/,
  /\b(globalThis|window|self)\s*\??\.\s*fetch\b/,
  /\b(XMLHttpRequest|EventSource|WebSocket|WebTransport|sendBeacon)\b/,
];

/** Returns true if a page file may send requests to the server. */
export function mayRequest(file: string): boolean {
  return file.startsWith('page/src/api/');
}

/**
 * Returns the lines of a page file that send a request, as `line number: text`. Comment lines are
 * skipped.
 */
export function findRequests(file: string, text: string): string[] {
  if (mayRequest(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (/^(\/\/|\*|\/\*|<!--)/.test(trimmed)) return [];
    return requests.some((each) => each.test(trimmed)) ? [`${index + 1}: ${trimmed}`] : [];
  });
}
