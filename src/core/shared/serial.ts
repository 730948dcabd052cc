/**
 * Returns the forms in which a serial is compared: only letters and digits, in upper case. Some
 * DATs append a revision ("ULES-01413/1.00", "ULJM-06174-0"). For these, returns the form without
 * the revision and the form with it. The text may contain several serials, separated by commas or
 * semicolons.
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
