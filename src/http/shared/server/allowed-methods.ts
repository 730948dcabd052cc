/**
 * The routes of an app by path pattern (`/api/users/:id`). They distinguish a request with a wrong
 * method from a request with an unknown path.
 */
export class AllowedMethods {
  readonly #routes = new Map<
    string,
    { segments: Segment[]; isOpen: boolean; methods: Set<string> }
  >();

  add(methods: string | readonly string[], pattern: string): void {
    // The page's pattern `/*` matches every path. It is not treated as open, so that other paths
    // stay unknown.
    const isOpen = pattern.endsWith('/*') && pattern !== '/*';
    const route = this.#routes.get(pattern) ?? {
      segments: (isOpen ? pattern.slice(0, -2) : pattern).split('/').map(segmentOf),
      isOpen,
      methods: new Set(),
    };
    this.#routes.set(pattern, route);
    for (const method of [methods].flat()) route.methods.add(method);
  }

  /** Returns the methods of the path's route, sorted; null if no route has this path. */
  of(path: string): string[] | null {
    const parts = path.split('/');
    for (const { segments, isOpen, methods } of this.#routes.values()) {
      if (isOpen ? segments.length >= parts.length : segments.length !== parts.length) continue;
      if (segments.every((isMatch, i) => isMatch(parts[i] ?? ''))) return [...methods].sort();
    }
    return null;
  }
}

type Segment = (part: string) => boolean;

/**
 * Returns a function that tests whether a segment of a path matches this segment of a pattern. The
 * pattern's segment is literal text, `:name` for any value, or `:name(expression)` for values that
 * match the expression.
 */
function segmentOf(pattern: string): Segment {
  if (!pattern.startsWith(':')) return (part) => part === pattern;
  const [, expression] = /^:\w+\((.+)\)$/.exec(pattern) ?? [];
  if (expression === undefined) return (part) => part !== '';
  const form = new RegExp(expression);
  return (part) => form.test(decoded(part));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
