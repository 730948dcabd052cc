/** The index of trigrams knows every character here: the other engine's has to be taught so. */
export const searchLetters = { name: '0031-search-letters', statements: [] };
