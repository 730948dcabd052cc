import type { Viewer } from '../../core/shared/requests/viewer.ts';
import type { Condition } from './release-conditions.ts';

/**
 * Returns the conditions on `release` that a release must meet so that a viewer sees it. There are
 * none: every viewer sees all releases. Rules of access belong here.
 */
export function visibleTo(_viewer: Viewer): readonly Condition[] {
  return [];
}
