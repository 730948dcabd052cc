/** Maximum length of a safe file name, in bytes. Most file systems limit a name to 255 bytes. */
const maxBytes = 240;

/**
 * Returns the names under which files are packed into a zip, in the same order. Characters that a
 * system forbids in file names become `_`. If several names are equal except for case, all but the
 * first get a number, such as `name (2).bin`.
 */
export function packedNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeFileName(name);
    const { stem, ending } = divide(safe);
    let unique = safe;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      unique = `${stem} (${number})${ending}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Returns the name, changed so that every system accepts it as a file name. */
export function safeFileName(name: string): string {
  const { stem, ending } = divide(
    name
      .toWellFormed()
      .replace(/[\u0000-\u001f\u007f"*/:<>?\\|]/g, '_')
      .replace(/[. ]$/, '_'),
  );
  let short = stem;
  while (Buffer.byteLength(short + ending) > maxBytes) short = [...short].slice(0, -1).join('');
  // Windows reserves these names for devices, with any extension.
  const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short + ending);
  return `${isDevice ? '_' : ''}${short}${ending}` || '_';
}

function divide(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.');
  const isEnding = dot > 0 && name.length - dot <= 16;
  return isEnding
    ? { stem: name.slice(0, dot), ending: name.slice(dot) }
    : { stem: name, ending: '' };
}
