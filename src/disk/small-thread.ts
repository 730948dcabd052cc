/**
 * Options of threads that only pass bytes on. Most of what they create is garbage at once: pieces
 * of files, which are outside the heap. The size of the heap decides how much of that waits to be
 * collected.
 */
export const smallThread = {
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
};
