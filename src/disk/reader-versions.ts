import type { Identity } from '../core/library/identity.ts';
import { containers } from './containers/container-readers.ts';
import { discReaders } from './disc/read-disc.ts';

type Readers = Readonly<Record<string, { readonly version: number | null }>>;

/**
 * Returns the names and versions of the readers of a file with this container and disc: `cso 1, psp
 * 1`.
 */
export function readerOf({ container, disc }: Pick<Identity, 'container' | 'disc'>): string {
  return `${versioned(containers, container)}, ${versioned(discReaders, disc ?? 'no disc')}`;
}

/**
 * Returns true if `reader`, a result of `readerOf`, is current. Reading the file again would then
 * give the same result.
 */
export function isCurrentReader(reader: string): boolean {
  const [container = '', disc = ''] = reader
    .split(', ')
    .map((part) => part.slice(0, part.lastIndexOf(' ')));
  return reader === `${versioned(containers, container)}, ${versioned(discReaders, disc)}`;
}

/**
 * Returns a name with the version of its reader. If there is no reader with this name, the version
 * is the sum of all versions. The sum changes with every new or changed reader, because such a
 * reader may recognise the file.
 */
function versioned(readers: Readers, name: string): string {
  const all = Object.values(readers).reduce((sum, { version }) => sum + (version ?? 0), 0);
  return `${name} ${readers[name]?.version ?? all}`;
}
