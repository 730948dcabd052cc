export type Sharp = typeof import('sharp').default;

/**
 * Loaders of the usual formats of covers. libvips reads a hundred more formats, which would only be
 * attack surface.
 */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`);

let loading: Promise<Sharp> | undefined;

/** Loads sharp on first use, because most commands do not need it. */
export function loadSharp(): Promise<Sharp> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  sharp.cache(false); // pictures are never read twice
  sharp.concurrency(1); // several pictures are processed concurrently instead
  return sharp;
}
