import type { de } from './tasks.texts.ts'

export const en: typeof de = {
  waiting: 'Waiting',
  running: 'Running',
  finished: 'Finished',
  failed: 'Failed',
  jobFailed: 'The job failed',
  fileGenerationFailed: 'Generating the file failed',
  timedOut: 'Timed out',
  aborted: 'Aborted',
  unknownError: 'An unknown error occurred',
  preparing: 'The download is being prepared …',
  download: (name: string) => `Download ${name}`,
  downloadFailed: 'The download could not be started',
  ofServer: {
    'project-export': (what: string) => `Export: ${what}`,
    'project-import': (what: string) => `Import: ${what}`,
    'invite-batch': (what: string) => `Invitations: ${what}`,
    'media-transcode': (what: string) => `Formats: ${what}`,
    'edge-restart': (what: string) => `Restart: ${what}`,
    'edge-diagnostics': (what: string) => `Diagnostics: ${what}`,
  },
  progress: (title: string) => `Progress of ${title}`,
}
