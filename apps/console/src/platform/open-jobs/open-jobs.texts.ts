import { textsOf } from '@pult/sdk'
import { deDE } from './open-jobs.texts.de-DE.ts'

export const de = {
  jobs: 'Jobs on edges',
  jobsOf: (project: string) => `Jobs on edges of ${project}`,
  commands: {
    diagnostics: 'Diagnose the edge',
    restart: 'Restart the agent',
    'restart-instance': (label: string) => `Restart ${label}`,
  },
  progress: (ended: number, total: number) => `${ended} of ${total} edges`,
}

/** They load with the lists of tasks, not with the catalogues of the start. */
export const texts = textsOf({ de, 'de-DE': deDE })
