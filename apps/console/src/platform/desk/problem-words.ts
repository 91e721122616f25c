import type { Problem } from '@pult/contract'
import { errorOf, titleInWords, useTaskTexts } from '@pult/sdk/task-list'
import { locale } from '#platform/locale.ts'
import { texts } from './desk.texts.ts'

export interface ProblemWords {
  status: 'danger' | 'failed' | 'warning' | 'info'
  /** The edge, program, task or address that has the problem. */
  subject: string
  what: string
  /** ISO 8601; null if it is unknown. */
  since: string | null
  /** The reason in one line. */
  why: string
}

/** Returns a function that describes a problem: subject, state, time and reason. */
export function useProblemWords(): (problem: Problem) => ProblemWords {
  const taskTexts = useTaskTexts()
  return (problem) => {
    switch (problem.kind) {
      case 'edgeOffline':
        return {
          status: 'danger',
          subject: problem.edge.label,
          what: problem.silence === null ? texts.problem.edgeOffline : texts.problem.edgeSilent,
          since: problem.since,
          why: joined([
            texts.problem.since(timeOf(problem.since)),
            problem.silence?.reason ?? lastReport(problem.last),
          ]),
        }
      case 'diskFull':
        return {
          status: 'warning',
          subject: problem.edge.label,
          what: texts.problem.diskFull(problem.usedPercent),
          since: problem.since,
          why: problem.since === null ? texts.problem.diskWhy : texts.problem.above(timeOf(problem.since)),
        }
      case 'programStopped':
        return {
          status: 'warning',
          subject: problem.edge.label,
          what: texts.problem.programStopped(problem.program.label),
          since: problem.since,
          why:
            problem.since === null
              ? texts.problem.programWhy
              : texts.problem.stoppedSince(timeOf(problem.since)),
        }
      case 'taskFailed':
        return {
          status: 'failed',
          subject: titleInWords(problem.task, taskTexts),
          what: texts.problem.taskFailed[problem.reason],
          since: problem.since,
          why: joined([
            errorOf(problem, taskTexts) ?? texts.problem.noReason,
            problem.startedBy && texts.problem.startedBy(problem.startedBy.name),
          ]),
        }
      case 'invitationExpires': {
        const { isExpired, expiresAt, email } = problem
        return {
          status: 'info',
          subject: email,
          what: isExpired ? texts.problem.invitationExpired : texts.problem.invitationExpires,
          since: isExpired ? expiresAt : null,
          why: (isExpired ? texts.problem.expired : texts.problem.expires)(timeOf(expiresAt)),
        }
      }
    }
  }
}

const joined = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ')

type EdgeValues = Extract<Problem, { kind: 'edgeOffline' }>['last']

function lastReport(last: EdgeValues): string | null {
  if (last === null) return texts.problem.neverReported
  const values = [
    last.load === null ? null : texts.problem.load(last.load),
    last.memory === null ? null : texts.problem.memory(last.memory),
    last.disk === null ? null : texts.problem.disk(last.disk),
  ].filter((value) => value !== null)
  return values.length === 0 ? null : texts.problem.lastReport(values.join(', '))
}

const language = locale === 'en' ? 'en-GB' : 'de-DE'
const ofToday = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
const ofOtherDays = new Intl.DateTimeFormat(language, {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** `13:51`, or with the day if it is not today. */
export function timeOf(instant: string): string {
  const date = new Date(instant)
  const isToday = date.toDateString() === new Date().toDateString()
  return (isToday ? ofToday : ofOtherDays).format(date)
}
