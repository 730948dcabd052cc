/**
 * Options of threads that mainly pass the bytes of files on. Pieces of files are outside of the
 * heap, and soon become garbage. V8 collects this garbage only when the heap is full. So a small
 * heap limits how much garbage accumulates.
 */
export const smallThread = {
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
};
