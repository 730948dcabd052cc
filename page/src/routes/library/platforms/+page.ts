import { redirect } from '@sveltejs/kit';
import { withBasePath } from '../../../base-path.ts';

/** Redirects to the current URL of the platforms. */
export function load(): void {
  redirect(307, withBasePath('/platforms'));
}
