/** An index takes a text of any length here: the other engine's hold its start. */
export const textStarts = { name: '0032-text-starts', statements: [] };
