/**
 * Options for threads that mainly forward the bytes of files. The pieces of a file are outside the
 * heap and soon become garbage. V8 collects this garbage only when the heap is full. A small heap
 * therefore limits how much garbage accumulates.
 */
export const smallThreadOptions = {
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
};
