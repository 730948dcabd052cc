import { language } from '../language/language.svelte.ts';
import { session } from '../shell/app.ts';

// Everything is rendered in the browser. The server sends the same empty page for every URL.
export const ssr = false;
export const prerender = false;

/**
 * Delays rendering until the language and the user are known. If the server does not answer, the
 * page is in English and no user is signed in.
 */
export async function load(): Promise<void> {
  if (session.isKnown) return;
  await Promise.all([language.load().catch(() => {}), session.load().catch(() => {})]);
}
