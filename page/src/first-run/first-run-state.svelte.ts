class FirstRunState {
  /**
   * True if the user has used the first run in this tab. The first run then stays visible when
   * there are releases, until the user ends it, so that no step disappears while it is used.
   */
  isFilling = $state(false);
}

export const firstRun = new FirstRunState();
