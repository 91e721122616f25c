import type { Edge, MediaItem, Note, Project, Task } from '@pult/contract'
import { givenId, givenProject, longAgo } from './given.ts'

type Report = NonNullable<Edge['report']>

const lastChange = { revision: 1, updatedAt: longAgo, updatedBy: null }

/** An edge that is online and reports no values. Fields of `report` replace those of the sample. */
function edge({
  report,
  ...facts
}: Partial<Omit<Edge, 'report'>> & { report?: Partial<Report> | null } = {}): Edge {
  return {
    _id: givenId(6),
    label: 'Hall 7',
    tags: [],
    place: null,
    state: 'online',
    isInTrouble: false,
    version: '2.4.0',
    lastSeenAt: longAgo,
    offlineSince: null,
    report:
      report === null
        ? null
        : {
            hostname: 'hall-7',
            platform: 'linux x64',
            load: [0.4, 0.3, 0.2],
            cores: 4,
            memory: { total: 8e9, free: 3e9 },
            disk: { total: 64e9, free: 40e9 },
            addresses: ['192.0.2.7'],
            uptime: 86_400,
            agentUptime: 3600,
            decks: { driver: 'missing', reason: null, devices: [] },
            values: [],
            ...report,
          },
    silence: null,
    instances: [],
    alertAfter: null,
    codeExpiresAt: null,
    decks: [],
    createdAt: longAgo,
    enrolledAt: longAgo,
    ...lastChange,
    ...facts,
  }
}

/** A note of the project. */
const note = (facts: Partial<Note> = {}): Note => ({
  _id: givenId(7),
  label: 'Rehearsal',
  text: '',
  isPinned: false,
  createdAt: longAgo,
  ...lastChange,
  ...facts,
})

/** A picture of the media library whose formats are ready. */
const medium = (facts: Partial<MediaItem> = {}): MediaItem => ({
  _id: givenId(8),
  label: 'Stage plan',
  tags: [],
  source: { type: 'image', formats: [] },
  state: 'ready',
  notes: [],
  task: null,
  createdAt: longAgo,
  ...lastChange,
  ...facts,
})

/** A running task of the project. */
const task = (facts: Partial<Task> = {}): Task => ({
  _id: givenId(9),
  type: 'show-control/rehearsal',
  kind: 'info',
  title: 'Rehearsal',
  project: givenProject()._id,
  createdAt: longAgo,
  startedAt: longAgo,
  fulfilledAt: null,
  isRejected: false,
  isTimedOut: false,
  isAborted: false,
  error: null,
  canRetry: false,
  state: {},
  deadlineAt: '2099-01-31T09:12:04.120Z',
  createdBy: null,
  revision: 1,
  ...facts,
})

/**
 * Complete records for the replies of a test. Each function returns one with the given fields.
 *
 * @example
 * const edges = { items: [sample.edge({ label: 'Crane 1' })], total: 1 }
 * renderApp(app, { manifest, api: { 'GET /projects/:projectId/edges': edges } })
 */
export const sample: {
  project: (facts?: Partial<Project>) => Project
  edge: typeof edge
  note: typeof note
  medium: typeof medium
  task: typeof task
} = { project: givenProject, edge, note, medium, task }
