/**
 * Returns the normalised forms of the serials in a text. Serials are compared by these forms, which
 * contain only letters and digits, in upper case. `text` may contain several serials, separated by
 * commas or semicolons. Some DATs append a revision ("ULES-01413/1.00", "ULJM-06174-0"). For such a
 * serial, the form without the revision is returned, then the form with the revision.
 */
export function normaliseSerials(text: string): string[] {
  const forms = new Set<string>();
  for (const part of text.split(/[,;]/)) {
    const serial = part.trim().toUpperCase();
    const withoutRevision = serial.replace(/\/.*/s, '').replace(/^([A-Z]{4}-?\d{5})-\d$/, '$1');
    for (const form of [withoutRevision, serial]) {
      const plain = form.replace(/[^\p{L}\p{N}]/gu, '');
      if (plain !== '') forms.add(plain);
    }
  }
  return [...forms];
}
