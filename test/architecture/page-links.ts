const addresses = [
  /\b(href|src|action|formaction)=["']\//,
  /\b(href|src)=\{\s*[`'"]\//,
  /\bgoto\(\s*[`'"]\//,
  /\bpathname\s*[!=]==\s*[`'"]\/|\bpathname\.startsWith\(/,
];

/** The lines of a file of the page that say where something is without the path below which the server lies. */
export function findRootAddresses(file: string, text: string): string[] {
  if (file === 'page/src/base-path.ts' || !file.startsWith('page/src/')) return [];
  return text.split('\n').flatMap((line, index) => {
    return addresses.some((each) => each.test(line)) ? [`${index + 1}: ${line.trim()}`] : [];
  });
}
