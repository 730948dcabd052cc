/**
 * The user for whom data is read. The command line and background work read as `everybody`, which
 * sees everything.
 */
export type Viewer = { readonly userId: number } | 'everybody';
