import type { Preference } from '../../api/sets.ts';

/** Returns the preference that is suggested to users with this locale, such as `en-GB`. */
export function usualPreference(locale: string): Preference {
  const { language, region } = new Intl.Locale(locale).maximize();
  const isAmerican = region === 'US' || region === 'CA';
  const regions = isAmerican ? ['USA', 'World', 'Europe'] : ['Europe', 'World', 'USA'];
  const own = language.charAt(0).toUpperCase() + language.slice(1);
  return {
    one_per_game: true,
    regions: [...regions, 'Japan'],
    languages: own === 'En' ? ['En'] : [own, 'En'],
    revision: 'newest',
    avoid: ['Demo', 'Beta', 'Proto', 'Sample'],
    among: 'catalogue',
  };
}

/** The preference of a set that is being edited. */
export class PreferenceDraft {
  /** True if the set has one edition of each game. */
  isOn = $state(false);
  regions: readonly string[] = $state.raw([]);
  languages: readonly string[] = $state.raw([]);
  revision: Preference['revision'] = $state('newest');
  avoid: readonly string[] = $state.raw([]);
  among: Preference['among'] = $state('catalogue');
  /**
   * True if the loaded preference does not limit the set to one edition of each game. Such a
   * preference is saved again.
   */
  readonly hasInactivePreference: boolean;

  /** `usual` is the initial content if the set has no preference yet. */
  constructor(preference: Preference | null, usual: Preference) {
    const { regions, languages, revision, avoid, among } = preference ?? usual;
    this.isOn = preference?.one_per_game ?? false;
    this.hasInactivePreference = preference !== null && !preference.one_per_game;
    Object.assign(this, { regions, languages, revision, avoid, among });
  }

  /** Returns the preference to save, or null if the set has none. */
  toPreference(): Preference | null {
    const { isOn, hasInactivePreference, regions, languages, revision, avoid, among } = this;
    if (!isOn && !hasInactivePreference) return null;
    return {
      one_per_game: isOn,
      regions: [...regions],
      languages: [...languages],
      revision,
      avoid: [...avoid],
      among,
    };
  }
}
