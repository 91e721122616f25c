import { textsOf } from '@pult/sdk'
import type { Rhythm } from './rhythm.ts'
import { deDE } from './schedules.texts.de-DE.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export const de = {
  schedules: 'Schedules',
  schedulesText:
    'A schedule starts a job for a group of edges. The job waits for absent edges until the next run, and acts for the account that saved the schedule last.',
  schedule: 'Schedule …',
  backToEdges: 'Edges',
  loadingFailed: 'The schedules could not be loaded',
  none: 'No schedules yet',
  noneText: 'Choose a group in the list of edges, run a job, and press Schedule after the preview.',
  planning: 'Creating a schedule',
  toEdges: 'Go to edges',

  name: 'Name',
  nameMissing: 'Enter a name',
  rhythm: 'Repeats',
  kinds: {
    daily: 'Every day',
    weekdays: 'Monday to Friday',
    weekly: 'Every week',
    monthly: 'Every month',
    cron: 'Cron pattern',
  },
  weekday: 'Weekday',
  weekdays: (day: number) => weekdays[day] ?? '',
  day: 'Day of the month',
  time: 'Time',
  cron: 'Cron pattern',
  cronHint:
    'Minute, hour, day of the month, month, day of the week. With both days, the job runs on each day that matches one of them. The weekday 4#1 is the first Thursday of a month.',
  timeZone: 'Time zone',
  noTimeZone: 'No such time zone',
  next: 'Next runs',
  timesFailed: 'These times do not exist',
  moved: (time: string) =>
    `When the clock goes forward, the chosen time does not exist. The run then begins at the end of the skipped hour: ${time}.`,
  inWords: ({ kind, time, weekday, day }: Rhythm): string =>
    ({
      daily: `Every day at ${time}`,
      weekdays: `Monday to Friday at ${time}`,
      weekly: `Every ${weekdays[weekday]} at ${time}`,
      monthly: `On day ${day} of each month at ${time}`,
      cron: '',
    })[kind],

  nextRun: 'Next run',
  lastRun: 'Last run',
  paused: 'Paused',
  groupGone: 'The group was deleted',
  actions: 'Actions',
  runs: 'Runs',
  runsOf: (label: string) => `Runs of ${label}`,
  runsFailed: 'The runs could not be loaded',
  noRuns: 'No runs yet',
  dueAt: 'Due',
  result: 'Result',
  job: 'Job',
  openJob: 'Open',
  noValue: '–',
  begun: 'Started',
  missed: (total: number) =>
    total === 1 ? 'Missed' : `Missed ${total >= 100 ? '100 or more' : total} times`,
  misses: {
    late: 'The server was not running',
    noRight: 'The account may no longer manage the edges',
    groupGone: 'The group was deleted',
    reachesNone: 'No edge within reach',
    tooMany: 'Too many unfinished jobs',
  },
  edit: 'Edit',
  editOf: (label: string) => `Edit ${label}`,
  actsForYou: 'From now on, the runs act for your account.',
  pause: 'Pause',
  pauseOne: (label: string) => `Pause ${label}`,
  resume: 'Resume',
  resumeOne: (label: string) => `Resume ${label}`,
  remove: 'Delete',
  removeOne: (label: string) => `Delete ${label}`,
  removeQuestion: (label: string) => `Delete the schedule ${label}?`,
  removeText: 'Jobs that have begun continue.',
  removed: (label: string) => `${label} deleted`,
  save: 'Save schedule',
  saved: 'Schedule saved',
  saveFailed: 'The schedule could not be saved',
  cancel: 'Cancel',
  back: 'Back',
  close: 'Close',
}

export const texts = textsOf({ de, 'de-DE': deDE })
