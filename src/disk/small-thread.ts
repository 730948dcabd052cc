/**
 * How threads are started that only pass bytes on. What they make is garbage at once, and most of it, pieces of files, stands
 * beside the heap, whose size decides how much of it waits to be collected.
 */
export const smallThread = {
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
};
