const addresses = [
  /\b(href|src|action|formaction)=["']\//,
  /\b(href|src)=\{\s*[`'"]\//,
  /\bgoto\(\s*[`'"]\//,
  /\bpathname\s*[!=]==\s*[`'"]\/|\bpathname\.startsWith\(/,
];

/**
 * Returns the lines of a page file that build a URL without the server's base path, as `line
 * number: text`.
 */
export function findRootAddresses(file: string, text: string): string[] {
  if (file === 'page/src/base-path.ts' || !file.startsWith('page/src/')) return [];
  return text.split('\n').flatMap((line, index) => {
    return addresses.some((each) => each.test(line)) ? [`${index + 1}: ${line.trim()}`] : [];
  });
}
