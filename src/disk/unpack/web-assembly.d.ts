/**
 * Types for the part of WebAssembly that is used. Node's types do not include WebAssembly. Only the
 * types for browsers do.
 */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  type Module = object;
  const Module: new (bytes: Uint8Array) => Module;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    /** Grows the memory by pages of 64 KiB. */
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
