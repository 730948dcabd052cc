/**
 * Gives the name of a target to one host at a time, and states when that host was last seen. The
 * hosts that run register their targets again.
 */
export const targetPresence = {
  version: 44,
  name: '0044-target-presence',
  statements: [
    `DELETE FROM build_target AS one USING build_target AS other
      WHERE other.name = one.name AND other.host < one.host`,
    'ALTER TABLE build_target DROP CONSTRAINT build_target_pkey',
    'ALTER TABLE build_target ADD PRIMARY KEY (name)',
    'ALTER TABLE build_target ADD COLUMN seen_at bigint NOT NULL DEFAULT 0',
    'ALTER TABLE build_target ALTER COLUMN seen_at DROP DEFAULT',
  ],
};
