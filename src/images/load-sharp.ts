export type Sharp = typeof import('sharp').default;

/**
 * libvips loaders for the usual formats of covers. libvips can read many more formats. They are
 * blocked, because each one is another way to attack the program.
 */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`);

let loading: Promise<Sharp> | undefined;

/** Loads the library sharp on first use, because most commands do not need it. */
export function loadSharp(): Promise<Sharp> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  sharp.cache(false); // a picture is never read twice
  sharp.concurrency(1); // several pictures are processed concurrently instead
  return sharp;
}
