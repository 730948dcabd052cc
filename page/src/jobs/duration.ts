/** How long something takes, e.g. `40 s`, `12 min`, `3 h 5 min`; with spaces that do not break; the units' signs are those of all languages here. */
export function duration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 100) return `${whole}\u00a0s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 100) return `${minutes}\u00a0min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)}\u00a0h${rest > 0 ? ` ${rest}\u00a0min` : ''}`;
}
