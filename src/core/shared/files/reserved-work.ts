import { AsyncLocalStorage } from 'node:async_hooks';

const reservations = new AsyncLocalStorage<number>();

/**
 * Runs work that changes files under a reservation. Every transaction of the work that writes data
 * checks that the reservation still exists. A process that stalled may have lost it, and others may
 * have changed the files since.
 */
export function withReservation<T>(id: number, work: () => T): T {
  return reservations.run(id, work);
}

/** Returns the id of the reservation that the current work is under, or undefined. */
export function currentReservation(): number | undefined {
  return reservations.getStore();
}
