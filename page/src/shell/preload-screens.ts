import { preloadCode } from '$app/navigation';
import { connection } from './app.ts';

/** The route ids of all screens. The screens that most users open first come first. */
const screens = [
  ...(['/', '/releases', '/releases/[id]', '/platforms', '/store', '/account'] as const),
  ...(['/sign-in', '/library', '/library/[id]', '/jobs', '/imports'] as const),
  ...(['/users', '/dashboard', '/audit', '/library/platforms'] as const),
  ...(['/sets/[id]', '/builds', '/devices'] as const),
] as const;

/** The parts of the page whose code is not loaded yet: screens, dialogs and languages. */
const pending: (() => Promise<unknown>)[] = [
  ...screens.map((id) => () => preloadCode(id)),
  () => import('../first-run/FirstRun.svelte'),
  () => import('../catalogue/selection/BulkDialog.svelte'),
  () => import('../catalogue/selection/FetchCovers.svelte'),
  () => import('../sets/SideSets.svelte'),
  () => import('../sets/OpenSet.svelte'),
  () => import('../sets/SaveSet.svelte'),
  () => import('./KeyHelp.svelte'),
  () => import('../language/de.ts'),
];

/** Pause after a failure while the server is reachable, in ms. */
const retryMs = 30_000;
/**
 * Maximum number of consecutive attempts. After a server upgrade, the code of an open page is no
 * longer available, so that all further attempts would fail.
 */
const maxAttempts = 3;

let isRunning = false;

/**
 * Loads the code of all screens while the browser is idle, one part at a time. Afterwards, users
 * can open any screen during an outage of the server. Sets the performance mark `screens-loaded` at
 * the end. Never rejects. Call it again when the server is reachable again.
 */
export async function preloadScreens(attempt = 1): Promise<void> {
  if (isRunning || pending.length === 0) return;
  isRunning = true;
  try {
    for (let part = pending[0]; part !== undefined; part = pending[0]) {
      await idle();
      await part();
      pending.shift();
    }
    performance.mark('screens-loaded');
  } catch {
    // Move the failed part to the end, so that it does not block the other parts.
    pending.push(...pending.splice(0, 1));
    const isTriedAgain = !connection.isOffline && attempt < maxAttempts;
    if (isTriedAgain) setTimeout(() => void preloadScreens(attempt + 1), retryMs);
  }
  isRunning = false;
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 100); // Safari
  });
}
