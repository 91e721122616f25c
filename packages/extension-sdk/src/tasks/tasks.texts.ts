import { taskTexts } from '@pult/contract'
import { useTexts } from '../texts.ts'
import { deDE } from './tasks.texts.de-DE.ts'
import { en } from './tasks.texts.en.ts'

/** The specification's own words where it has them. */
export const de = {
  waiting: 'Waiting',
  running: 'Running',
  finished: 'Finished',
  failed: 'Failed',
  jobFailed: 'Job failed',
  fileGenerationFailed: 'File generation failed',
  timedOut: 'Timed out',
  aborted: 'Aborted',
  unknownError: 'Unknown error occurred',
  preparing: 'Download wird vorbereitet ...',
  download: (name: string) => `Download ${name}`,
  /** The kinds of the server’s own tasks. Their titles name the record. */
  ofServer: {
    'project-export': 'Export',
    'project-import': 'Import',
    'invite-batch': 'Invitations',
    'media-transcode': 'Formats',
    'edge-restart': 'Restart',
    'edge-start': 'Start',
    'edge-stop': 'Stop',
    'edge-update': 'Agent update',
    'edge-diagnostics': 'Diagnostics',
  },
  progress: (title: string) => `Progress of ${title}`,
  /** Reports, errors and log lines of the server's own tasks, by code. */
  messages: taskTexts,
}

export const taskCatalogues = { de, en, 'de-DE': deDE }

export const useTaskTexts = () => useTexts(taskCatalogues)
export type TaskTexts = typeof de
