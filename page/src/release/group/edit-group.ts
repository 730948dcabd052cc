import { type Edition, type Group, joinGroup, readGroup, splitGroup } from '../../api/groups.ts';

/** A completed change of a group. */
export interface GroupChange {
  /** The name of the edition that was moved. */
  readonly name: string;
  undo(): Promise<void>;
}

/** Moves an edition to a group of its own. */
export async function splitOff(group: Group, edition: Edition): Promise<GroupChange> {
  const moved = idsOf([edition]);
  const [rest = group.id] = idsOf(group.editions).filter((id) => !moved.includes(id));
  await splitGroup(rest, moved);
  return {
    name: edition.name,
    undo: async () => {
      await joinGroup(rest, moved);
    },
  };
}

/** Moves a release to the group, together with the other discs of its edition. */
export async function addToGroup(group: Group, releaseId: number): Promise<GroupChange> {
  const former = await readGroup(releaseId);
  const editions = former.editions.filter((edition) => idsOf([edition]).includes(releaseId));
  const moved = idsOf(editions);
  const rest = idsOf(former.editions).find((id) => !moved.includes(id));
  await joinGroup(group.id, moved);
  return {
    name: editions[0]?.name ?? '',
    undo: async () => {
      if (rest === undefined) await splitGroup(group.id, moved);
      else await joinGroup(rest, moved);
    },
  };
}

function idsOf(editions: readonly Edition[]): readonly number[] {
  return [...new Set(editions.flatMap(({ releases }) => releases.map(({ id }) => id)))];
}
