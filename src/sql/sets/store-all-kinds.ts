import { KindBits } from '../../core/shared/names/kind-bits.ts';

/**
 * Functions of a migration that read the names of releases, and store the kinds that the names
 * state.
 */
export interface KindStore {
  /** Returns the releases after an id, in the order of their ids, up to `limit`. */
  read(afterId: number, limit: number): Promise<readonly { id: number; name: string }[]>;
  /** Stores the bits of the kinds of releases. */
  write(bits: number, ids: readonly number[]): Promise<void>;
}

/** Number of releases that are read at a time. */
const releasesPerRead = 10_000;

/** Stores the kinds of all releases (`kindBitsOf`). Expects releases without kinds. */
export async function storeAllKinds(store: KindStore): Promise<void> {
  const kinds = new KindBits();
  for (let last = 0; ; ) {
    const releases = await store.read(last, releasesPerRead);
    const idsOf = new Map<number, number[]>();
    for (const { id, name } of releases) {
      const bits = kinds.of(name);
      const ids = idsOf.get(bits) ?? [];
      idsOf.set(bits, ids);
      ids.push(id);
    }
    idsOf.delete(0);
    for (const [bits, ids] of idsOf) await store.write(bits, ids);
    if (releases.length < releasesPerRead) return;
    last = releases.at(-1)?.id ?? last;
  }
}
