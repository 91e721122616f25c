import type { de } from './open-jobs.texts.ts'

export const deDE: typeof de = {
  jobs: 'Aufträge für Edges',
  jobsOf: (project: string) => `Aufträge für Edges von ${project}`,
  commands: {
    diagnostics: 'Edge diagnostizieren',
    restart: 'Agent neu starten',
    'restart-instance': (label: string) => `${label} neu starten`,
  },
  progress: (ended: number, total: number) => `${ended} von ${total} Edges`,
}
