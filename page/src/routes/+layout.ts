import { language } from '../language/language.svelte.ts';
import { session } from '../shell/app.ts';

// Everything happens in the browser; the server sends one empty page for every address.
export const ssr = false;
export const prerender = false;

/** Nothing is drawn before it is known in which language and for whom; without an answer, in English and for nobody. */
export async function load(): Promise<void> {
  if (session.isKnown) return;
  await Promise.all([language.load().catch(() => {}), session.load().catch(() => {})]);
}
