/**
 * Creates an index for counting releases by system, region and platform. The counts read only this
 * index, not the wide rows of the table.
 */
export const facetIndex = {
  name: '0017-facet-index',
  statements: ['CREATE INDEX release_by_facets ON release (system, region, platform_id)'],
};
