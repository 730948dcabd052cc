import { language } from '../language/language.svelte.ts';
import { session } from '../shell/app.ts';

// All screens are rendered in the browser. The server sends the same empty page for every URL.
export const ssr = false;
export const prerender = false;

/**
 * Delays rendering until the texts and the session are loaded. If the server is unreachable, the
 * page is shown in English, without a user.
 */
export async function load(): Promise<void> {
  if (session.isKnown) return;
  await Promise.all([language.load().catch(() => {}), session.load().catch(() => {})]);
}
