/** The routes of an app by path pattern (`/api/users/:id`), to tell an unknown path from a wrong method. */
export class AllowedMethods {
  readonly #routes = new Map<string, { segments: string[]; methods: Set<string> }>();

  add(methods: string | readonly string[], pattern: string): void {
    const route = this.#routes.get(pattern) ?? { segments: pattern.split('/'), methods: new Set() };
    this.#routes.set(pattern, route);
    for (const method of [methods].flat()) route.methods.add(method);
  }

  /** Methods of the path's route, sorted; null when no route has this path. */
  of(path: string): string[] | null {
    const segments = path.split('/');
    for (const route of this.#routes.values()) {
      if (matches(route.segments, segments)) return [...route.methods].sort();
    }
    return null;
  }
}

function matches(pattern: string[], path: string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((part, i) => (part.startsWith(':') ? path[i] !== '' : part === path[i]));
}
