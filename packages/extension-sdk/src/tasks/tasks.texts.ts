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
  /** Tasks of the server by type; their titles name the record. */
  ofServer: {
    'project-export': (what: string) => `Export: ${what}`,
    'project-import': (what: string) => `Import: ${what}`,
    'invite-batch': (what: string) => `Invitations: ${what}`,
    'media-transcode': (what: string) => `Formats: ${what}`,
    'edge-restart': (what: string) => `Restart: ${what}`,
    'edge-start': (what: string) => `Start: ${what}`,
    'edge-stop': (what: string) => `Stop: ${what}`,
    'edge-update': (what: string) => `Agent update: ${what}`,
    'edge-diagnostics': (what: string) => `Diagnostics: ${what}`,
  },
  progress: (title: string) => `Progress of ${title}`,
  /** Reports, errors and log lines of the server's own tasks, by code. */
  messages: taskTexts,
}

export const taskCatalogues = { de, en, 'de-DE': deDE }

export const useTaskTexts = () => useTexts(taskCatalogues)
export type TaskTexts = typeof de
