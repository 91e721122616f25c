import { asWork } from '#platform/database/pool-shares.ts'
import { changeEvent } from '#platform/realtime/changes.ts'
import type { ReceivedEvent } from '#platform/realtime/event-tail.ts'
import type { TopicGuard } from '#platform/realtime/subscriptions.ts'
import type { AppOpeners } from './extensions/app-openers.ts'
import { extensionTopic } from './extensions/extension-topics.ts'
import { organisationTopic } from './organisations/announcements.ts'
import type { OrganisationService } from './organisations/organisation.service.ts'
import { accessTopic, projectTopic } from './projects/announcements.ts'
import type { AppRole } from './projects/app-role.ts'
import type { ProjectService } from './projects/project.service.ts'
import { settingsTopic } from './settings/own-settings.ts'

interface TopicParts {
  organisations: Pick<OrganisationService, 'readersAmong'>
  projects: Pick<ProjectService, 'readersAmong' | 'readersOf'>
  /** Permission to subscribe to a topic of this name below a project. */
  projectRoles: Readonly<Record<string, Pick<AppRole, 'holdersAmong'>>>
  /** Permission to subscribe to an app's storage in a project. */
  appOpeners: AppOpeners
  /** Resolves when this node knows which extensions run. Bounded, because every delivery waits for it. */
  extensionsSettled: () => Promise<void>
}

/** Topics whose events name their recipients. */
const collectionTopics = new Set<string>([accessTopic, organisationTopic, projectTopic, settingsTopic])

/** Topics for every signed-in user. */
const openTopics = new Set<string>([extensionTopic])

/** Names of topics below a project, as the contract lists them. */
export const namesOfProjectTopics = ['notes', 'LTT', 'media', 'edges', 'edge-jobs']

const projectTopics = new RegExp(
  `^/projects/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(${namesOfProjectTopics.join('|')})$`,
)

/** An app's storage in a project. */
const storeTopics = /^\/projects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/apps\/([\w-]+)\/store$/

/** Decides for each topic its permitted subscribers and the recipients of its events. */
export function createTopicGuard(parts: TopicParts): TopicGuard {
  const { organisations, projects, projectRoles, appOpeners, extensionsSettled } = parts

  async function readersOf(topic: string, personIds: readonly string[]): Promise<readonly string[]> {
    if (collectionTopics.has(topic) || openTopics.has(topic)) return personIds
    // Roles depend on extensions, and consoles refetch when extensions change.
    await extensionsSettled()
    const [, storeOf, appId] = storeTopics.exec(topic) ?? []
    if (storeOf !== undefined && appId !== undefined)
      return appOpeners({ appId, projectId: storeOf }, personIds)
    const [, projectId, name] = projectTopics.exec(topic) ?? []
    if (projectId === undefined) return []
    const role = projectRoles[name ?? '']
    if (role !== undefined) return role.holdersAmong(projectId, personIds)
    return projects.readersOf(projectId, personIds)
  }

  /** Returns the readers of each of these records. */
  function readersOfRecords(
    topic: string,
    ids: readonly string[],
    personIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (topic === projectTopic) return projects.readersAmong(ids, personIds)
    if (topic === organisationTopic) return organisations.readersAmong(ids, personIds)
    // Every event of a personal topic names its recipient.
    return Promise.resolve(new Map())
  }

  async function recipientsOf(
    events: readonly ReceivedEvent[],
    personIds: readonly string[],
  ): Promise<readonly (readonly string[])[]> {
    await extensionsSettled()
    const [topic = ''] = events.map((event) => event.topic)
    const unaddressed = events.filter((event) => audienceOf(event) === undefined)
    if (unaddressed.length === 0) return events.map((event) => audienceOf(event) ?? [])
    if (!collectionTopics.has(topic)) {
      const readers = await readersOf(topic, personIds)
      return events.map((event) => audienceOf(event) ?? readers)
    }
    const ids = new Set(unaddressed.flatMap((event) => recordOf(event) ?? []))
    const readers = await readersOfRecords(topic, [...ids], personIds)
    return events.map((event) => audienceOf(event) ?? readers.get(recordOf(event) ?? '') ?? [])
  }

  return {
    readersOf: (topic, personIds) => asWork('topics', () => readersOf(topic, personIds)),
    recipientsOf: (events, personIds) => asWork('topics', () => recipientsOf(events, personIds)),
  }
}

/** The recipients that an event itself names. */
const audienceOf = ({ data }: ReceivedEvent): readonly string[] | undefined =>
  Array.isArray(data['audience']) ? (data['audience'] as string[]) : undefined

/** The record that changed. */
const recordOf = ({ name, data }: ReceivedEvent): string | undefined =>
  name === changeEvent && typeof data['id'] === 'string' ? data['id'] : undefined
