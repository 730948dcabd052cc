export type Sharp = typeof import('sharp').default;

/** The loaders of what people have as covers; libvips reads a hundred formats more, which are only there to be attacked. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`);

let loading: Promise<Sharp> | undefined;

/** sharp, loaded when it is first needed: most commands never are in need of it. */
export function loadSharp(): Promise<Sharp> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  sharp.cache(false); // no picture is read twice
  sharp.concurrency(1); // several pictures at a time instead
  return sharp;
}
