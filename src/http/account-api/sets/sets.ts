import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Explanation } from '../../../core/sets/explain.ts';
import { readPreference, toPreferenceRecord } from '../../../core/sets/preference.ts';
import { readRule } from '../../../core/sets/read-rule.ts';
import type { CountedSet } from '../../../core/sets/set.ts';
import { circleOfSets, invalidField, notFound, tooManySets } from '../../../core/shared/errors.ts';
import { choiceRules } from '../../../core/shared/groups/choose.ts';
import { tagsOf } from '../../../core/shared/groups/group.ts';
import type { RequestActor } from '../../../core/shared/requests/actor.ts';
import { sendTextFile } from '../../shared/files/send-text-file.ts';
import { TextContent } from '../../shared/routes/route.ts';
import { actorOf, viewerOf } from '../accounts/access.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { include, unknownInclude, wantedFields } from '../releases/include.ts';
import { coverTags, itemIncludes, ownershipsOf, toListItem } from '../releases/releases.ts';
import { route } from '../route.ts';
import { integerId, Ok, setFields } from '../schemas.ts';
import { setFailures } from './set-failures.ts';

const setParams = Type.Object({ set_id: integerId });
const ruleFailures = [
  circleOfSets(),
  invalidField('rule', '<problem>'),
  invalidField('prefer', '<problem>'),
];
const savingFailures = [tooManySets(), ...ruleFailures];

/** Number of releases in a preview. */
const previewLength = 12;

export const listSets = route({
  summary: "One's own sets and the shared ones, by name",
  query: pageQuery,
  response: Type.Object({ items: Type.Array(Type.Ref('Set')) }),
  async handle({ parts: { sets }, query, request }) {
    return { items: (await sets.list(viewerOf(request), pageOf(query))).map(toSetRecord) };
  },
});

export const createSet = route({
  summary: 'Save a set; a shared one needs the role editor',
  body: Type.Object(setFields),
  response: Type.Ref('Set'),
  failures: savingFailures,
  async handle({ parts: { sets }, body, request }) {
    const { name, shared, ...rest } = body();
    const selecting = { rule: readRule(rest.rule), prefer: readPreference(rest.prefer) };
    const viewer = viewerOf(request);
    const isShared = shared === true;
    const actor = writerOf(request, isShared);
    const set = { name: name ?? '', ownerId: actor.userId, isShared, ...selecting };
    return toSetRecord(await sets.withCount(await sets.create(set, viewer, actor), viewer));
  },
});

export const previewSet = route({
  summary: 'The number of releases that a set would have, and the first twelve of them by title',
  query: Type.Object({ include: include(itemIncludes) }),
  body: Type.Object({ rule: setFields.rule, prefer: setFields.prefer }),
  response: Type.Object({
    count: Type.Integer(),
    items: Type.Array(Type.Ref('ReleaseListItem')),
  }),
  failures: [unknownInclude, ...ruleFailures],
  async handle({ parts, query, body, request }) {
    const { rule, prefer } = body();
    const unsaved = { rule: readRule(rule), prefer: readPreference(prefer) };
    const wanted = wantedFields(query.include, itemIncludes);
    const set = await parts.sets.selectUnsaved(unsaved, viewerOf(request));
    const count = await parts.releases.countIn(set);
    const items = await parts.releases.firstIn(set, previewLength);
    const tags = await coverTags(parts.covers, items, wanted);
    const owned = wanted.has('owned') ? await ownershipsOf(parts, items) : null;
    return { count, items: items.map((item) => toListItem(item, wanted, tags, owned)) };
  },
});

export const getSet = route({
  summary: 'One set',
  params: setParams,
  response: Type.Ref('Set'),
  failures: [notFound()],
  async handle({ parts: { sets }, params: { set_id }, request }) {
    const viewer = viewerOf(request);
    return toSetRecord(await sets.withCount(await sets.get(set_id, viewer), viewer));
  },
});

export const updateSet = route({
  summary: 'Change a set; a shared one needs the role editor',
  params: setParams,
  body: Type.Object(setFields),
  response: Type.Ref('Set'),
  failures: [notFound(), ...savingFailures],
  async handle({ parts: { sets }, params: { set_id }, body, request }) {
    const viewer = viewerOf(request);
    const former = await sets.getForWrite(set_id, viewer, actorOf(request));
    const { name, shared, rule, prefer } = body();
    const change = {
      ...(typeof name === 'string' && { name }),
      ...(typeof shared === 'boolean' && { isShared: shared }),
      ...(rule !== undefined && { rule: readRule(rule) }),
      ...(prefer !== undefined && { prefer: readPreference(prefer) }),
    };
    const actor = writerOf(request, former.isShared || shared === true);
    const set = await sets.update(set_id, change, viewer, actor);
    return toSetRecord(await sets.withCount(set, viewer));
  },
});

export const removeSet = route({
  summary: 'Delete a set; a shared one needs the role editor',
  params: setParams,
  response: Ok,
  failures: [notFound()],
  async handle({ parts: { sets }, params: { set_id }, request }) {
    const viewer = viewerOf(request);
    const { isShared } = await sets.getForWrite(set_id, viewer, actorOf(request));
    await sets.remove(set_id, viewer, writerOf(request, isShared));
    return { ok: true };
  },
});

export const getMissingCsv = route({
  summary: 'The releases of a set that the library lacks, as CSV, by name',
  params: setParams,
  response: new TextContent('text/csv'),
  failures: setFailures,
  async handle({ parts: { sets }, params: { set_id }, request, reply }) {
    const { name, text } = await sets.missingCsv(set_id, viewerOf(request));
    return sendTextFile(request, reply, text, { name: `${name} (missing).csv`, type: 'text/csv' });
  },
});

export const getMissingDat = route({
  summary: 'The releases of a set that the library lacks, as a DAT in Logiqx XML, by name',
  params: setParams,
  response: new TextContent('application/xml'),
  failures: setFailures,
  async handle({ parts: { sets }, params: { set_id }, request, reply }) {
    const { name, text } = await sets.missingDat(set_id, viewerOf(request));
    const type = 'application/xml';
    return sendTextFile(request, reply, text, { name: `${name} (missing).dat`, type });
  },
});

const choiceRule = Type.Union([Type.String({ enum: [...choiceRules] }), Type.Null()]);
const explainedEdition = Type.Object({
  name: Type.String(),
  regions: Type.Array(Type.String()),
  languages: Type.Array(Type.String()),
  revision: Type.String(),
  tags: Type.Array(Type.String(), { description: 'kinds such as `Demo`, and the other labels' }),
  release_ids: Type.Array(Type.Integer(), { description: 'all its discs, in order' }),
  chosen: Type.Boolean(),
  rejected_by: choiceRule,
});

export const explainSet = route({
  summary: 'Why a release is in a set or not',
  params: Type.Object({ set_id: integerId, release_id: integerId }),
  response: Type.Object({
    in_set: Type.Boolean(),
    selected: Type.Boolean({ description: 'true if the rule of the set selects the release' }),
    rejected_by: Type.Unsafe<string | null>({
      ...choiceRule,
      description: 'the rule of choice by which its edition was rejected',
    }),
    editions: Type.Array(explainedEdition, {
      description: 'the editions of the game among the selected releases, the chosen ones first',
    }),
    not_selected: Type.Array(Type.Integer(), {
      description: 'ids of the releases of the game that the rule does not select',
    }),
  }),
  failures: setFailures,
  async handle({ parts: { sets }, params: { set_id, release_id }, request }) {
    return toExplanation(await sets.explain(set_id, release_id, viewerOf(request)));
  },
});

/** Returns an explanation as the API shows it. */
export function toExplanation(explanation: Explanation) {
  const { isInSet, isSelected, rejectedBy, editions, notSelected } = explanation;
  return {
    in_set: isInSet,
    selected: isSelected,
    rejected_by: rejectedBy,
    editions: editions.map(({ edition: { name, traits, revision, discs }, rejectedBy }) => ({
      name,
      regions: traits.regions,
      languages: traits.languages,
      revision,
      tags: tagsOf(traits),
      release_ids: discs.map(({ release }) => release.id),
      chosen: rejectedBy === null,
      rejected_by: rejectedBy,
    })),
    not_selected: notSelected,
  };
}

/** Returns a set as the API shows it. */
export function toSetRecord({ id, name, owner, isShared, rule, prefer, count }: CountedSet) {
  return { id, name, owner, shared: isShared, rule, prefer: toPreferenceRecord(prefer), count };
}

/** Returns the actor for a write. Shared sets need the right of an editor. */
function writerOf(request: FastifyRequest, isShared: boolean): RequestActor {
  return actorOf(request, isShared ? 'editor' : 'user');
}
