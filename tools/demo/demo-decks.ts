import type { DeckKey } from '@pult/contract'
import { trialRun } from './trial-run.ts'

/** Returns the key actions of two decks: a large one on the desk and a small one on the wall. */
export function deckKeys({ projectId, edgeId }: { projectId: string; edgeId: string }): DeckKey[] {
  const project = projectId
  return [
    {
      slot: 0,
      key: 0,
      label: 'Media',
      icon: 'camera',
      action: { type: 'app', app: 'media-library', project },
    },
    { slot: 0, key: 1, label: 'Edges', icon: 'server', action: { type: 'app', app: 'edges', project } },
    { slot: 0, key: 4, label: 'Station', icon: 'activity', action: { type: 'edge', edge: edgeId, project } },
    {
      slot: 0,
      key: 10,
      label: 'Export',
      icon: 'download',
      action: { type: 'task', verb: 'start', task: 'project-export', project },
    },
    {
      slot: 0,
      key: 11,
      label: 'Probelauf',
      icon: 'gauge',
      action: { type: 'task', verb: 'show', task: trialRun.type, project },
    },
    {
      slot: 0,
      key: 14,
      label: 'Stopp',
      icon: 'square',
      action: { type: 'task', verb: 'abort', task: trialRun.type, project },
    },
    { slot: 1, key: 0, label: 'Projects', icon: 'folder', action: { type: 'url', url: '/projects' } },
    { slot: 1, key: 5, label: 'Tasks', icon: 'clock', action: { type: 'url', url: '/tasks' } },
  ]
}
