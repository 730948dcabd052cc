/** The texts of the filters of the list of releases. */
export const filter = {
  library: 'Ownership',
  ofLibrary: { have: 'Owned', missing: 'Missing', verified: 'Verified' },
  ofCover: { have: 'With cover', missing: 'Without cover' },
  year: 'Year',
  find: (what: string) => `Find: ${what}`,
  saveAsSet: 'Save as set',
  none: 'Nothing found',
  more: (count: string) => `${count} more. Type to find them.`,
};
