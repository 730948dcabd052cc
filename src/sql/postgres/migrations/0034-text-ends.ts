/** The other engine looks for one or two characters by the ends of texts; this one looks at all. */
export const textEnds = { version: 34, name: '0034-text-ends', statements: [] };
