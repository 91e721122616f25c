import { type Task, taskMessageOf, withReason } from '@pult/contract'
import { describe, expect, test } from 'vitest'
import { textsFor } from '../texts.ts'
import { listWith, withNews } from './task-list.ts'
import {
  errorOf,
  failureOf,
  formatTaskInstant,
  infoOf,
  lineOf,
  outcomeOf,
  shareOf,
  titleInWords,
  typeInWords,
} from './task-words.ts'
import { taskCatalogues } from './tasks.texts.ts'

const idOf = (number: number) => `0193a3f0-0000-7000-8000-${String(number).padStart(12, '0')}`

function taskOf(number: number, facts: Partial<Task> = {}): Task {
  return {
    _id: idOf(number),
    type: 'project-export',
    kind: 'info',
    title: `Task ${number}`,
    project: idOf(0),
    createdAt: '2026-01-05T09:03:07.000Z',
    startedAt: '2026-01-05T09:03:08.000Z',
    fulfilledAt: null,
    isRejected: false,
    isTimedOut: false,
    isAborted: false,
    canRetry: false,
    error: null,
    state: {},
    deadlineAt: '2026-01-05T10:03:07.000Z',
    createdBy: null,
    revision: 1,
    ...facts,
  }
}

const whole = { pages: 1, next: null }
const list = listWith([taskOf(1), taskOf(3), taskOf(2)], whole)
const news = (name: string, data: unknown) => ({ name, data })
const update = (number: number, revision: number, done: number) => ({
  _id: idOf(number),
  revision,
  state: { progress: [done, 10] },
})

describe('a list of tasks and the events of its topic', () => {
  test('TASK-02 the newest comes first; created and fulfilled add a task, archived removes it', () => {
    expect(list.ids).toEqual([3, 2, 1].map(idOf))
    const created = withNews(list, news('task:created', { task: taskOf(4) }))
    expect(created?.ids).toEqual([4, 3, 2, 1].map(idOf))
    const ended = taskOf(2, { revision: 5, fulfilledAt: '2026-01-05T09:04:00.000Z' })
    const fulfilled = withNews(list, news('task:fulfilled', { task: ended }))
    expect(fulfilled?.byId.get(idOf(2))).toEqual(ended)
    const archived = withNews(list, news('task:archived', { _id: idOf(3) }))
    expect(archived?.ids).toEqual([2, 1].map(idOf))
    expect(archived?.byId.has(idOf(3))).toBe(false)
  })

  test('TASK-13 an update changes only the tasks it names, and the array of ids stays the same', () => {
    const after = withNews(list, news('task:state', { tasks: [update(1, 2, 4)] }))
    expect(after?.byId.get(idOf(1))).toMatchObject({ revision: 2, state: { progress: [4, 10] } })
    expect(after?.byId.get(idOf(2))).toBe(list.byId.get(idOf(2)))
    expect(after?.ids).toBe(list.ids)
    const waiting = listWith([taskOf(1, { startedAt: null })], whole)
    const startedAt = '2026-01-05T09:03:09.000Z'
    const begun = withNews(waiting, news('task:state', { tasks: [{ ...update(1, 2, 0), startedAt }] }))
    expect(begun?.byId.get(idOf(1))?.startedAt).toBe(startedAt)
  })

  test('TASK-02 a late or repeated event changes nothing, because the revision decides', () => {
    const after = withNews(list, news('task:state', { tasks: [update(1, 3, 6)] }))
    if (after === null) throw new Error('The task is not in the list')
    expect(withNews(after, news('task:state', { tasks: [update(1, 3, 6), update(1, 2, 4)] }))).toBe(after)
    expect(withNews(after, news('task:created', { task: taskOf(1) }))).toBe(after)
    expect(withNews(after, news('task:archived', { _id: idOf(9) }))).toBe(after)
    expect(listWith([taskOf(1)], whole, after).byId.get(idOf(1))?.revision).toBe(3)
  })

  test('TASK-02 an event about unknown tasks triggers a refetch', () => {
    expect(withNews(list, news('task:state', { tasks: [update(7, 2, 4)] }))).toBeNull()
    expect(withNews(list, news('task:created', { task: 'of a newer server' }))).toBeNull()
  })
})

describe('the texts of a task', () => {
  const texts = taskCatalogues.de
  const ended = { fulfilledAt: '2026-01-05T09:04:00.000Z' }
  const download = { kind: 'download-generation' } as const

  test('TASK-08 a failed task shows its error, or else the text of its kind', () => {
    const failed = { ...ended, isRejected: true }
    expect(failureOf(taskOf(1, { ...failed, error: 'Disk full' }), texts)).toBe('Disk full')
    expect(failureOf(taskOf(1, failed), texts)).toBe('Job failed')
    expect(failureOf(taskOf(1, { ...failed, ...download }), texts)).toBe('File generation failed')
  })

  test('TASK-09 the other outcomes have texts, but success has none', () => {
    expect(failureOf(taskOf(1, { ...ended, isTimedOut: true }), texts)).toBe('Timed out')
    expect(failureOf(taskOf(1, { ...ended, isAborted: true }), texts)).toBe('Aborted')
    expect(failureOf(taskOf(1, { ...ended, ...download }), texts)).toBe('Unknown error occurred')
    const ready = { ...ended, ...download, state: { fileName: 'plan.pdf' } }
    expect(failureOf(taskOf(1, ready), texts)).toBeNull()
    expect(failureOf(taskOf(1, ended), texts)).toBeNull()
    expect(outcomeOf(taskOf(1, { startedAt: null }))).toBe('waiting')
  })

  test('TASK-10 the times of a task have the format dd.MM.yy - HH:mm', () => {
    expect(formatTaskInstant('2026-01-05T09:03:07')).toBe('05.01.26 - 09:03')
  })

  test('the kind names tasks of the server in each language, a service names its own tasks', () => {
    const restart = { type: 'edge-restart', title: 'Player (Hall 3)' }
    expect(titleInWords(restart, taskCatalogues.de)).toBe('Restart: Player (Hall 3)')
    expect(titleInWords(restart, taskCatalogues['de-DE'])).toBe('Neustart: Player (Hall 3)')
    const render = { type: 'show/render', title: 'Opening show' }
    expect(titleInWords(render, taskCatalogues['de-DE'])).toBe('Opening show')
    expect(titleInWords({ ...render, type: 'toString' }, textsFor('en', taskCatalogues))).toBe('Opening show')
  })

  test('DEC-28 texts of the server are in the language of the reader, and texts of a service stay', () => {
    const german = taskCatalogues['de-DE']
    const english = textsFor('en', taskCatalogues)
    const state = {
      info: 'Exported 3 files',
      message: taskMessageOf('files-exported', { count: 3 }),
    }
    expect(infoOf({ state }, german)).toBe('3 Dateien exportiert')
    expect(infoOf({ state }, english)).toBe('Exported 3 files')
    expect(infoOf({ state: { info: 'Rendered' } }, german)).toBe('Rendered')
    expect(infoOf({ state: {} }, german)).toBeUndefined()

    const errorMessage = taskMessageOf('list-empty')
    const error = 'The file contains no people'
    expect(errorOf({ error, errorMessage }, german)).toBe('Die Datei enthält keine Personen')
    expect(errorOf({ error: null }, german)).toBeNull()
    const failed = taskOf(1, { ...ended, isRejected: true, error, errorMessage })
    expect(failureOf(failed, german)).toBe('Die Datei enthält keine Personen')
    const values = { de: 'Ask Ada', 'de-DE': 'Fragen Sie Ada' }
    expect(errorOf({ error, errorMessage: taskMessageOf('refusal', values) }, german)).toBe('Fragen Sie Ada')

    const invited = taskMessageOf('invited-as', { role: 'project/viewer' })
    const message = withReason('list-line', { line: 2, email: 'ada@example.org' }, invited)
    const line = 'Line 2: ada@example.org: invited as project/viewer'
    expect(lineOf({ line, message }, german)).toBe('Zeile 2: ada@example.org: eingeladen als project/viewer')
    expect(lineOf({ line, message }, taskCatalogues.de)).toBe(line)
  })

  test('DEC-28 a text with an unknown code or reason, from a newer server, stays as the server wrote it', () => {
    const german = taskCatalogues['de-DE']
    for (const message of [
      { code: 'of-a-newer-server', values: { count: 1 } },
      { code: 'toString', values: {} },
      { code: 'list-line', values: { line: 2, email: 'a', reason: 'of-a-newer-server' } },
    ])
      expect(lineOf({ line: 'As written', message }, german)).toBe('As written')
  })

  test('the type of a task is shown as words, its progress as a share', () => {
    expect(typeInWords('show-control/render-show')).toBe('Show control · Render show')
    expect(shareOf(taskOf(1, { state: { progress: [5, 10] } }))).toBe(0.5)
    expect(shareOf(taskOf(1, { state: { progress: [12, 10] } }))).toBe(1)
    expect(shareOf(taskOf(1, { state: { progress: [5, 0] } }))).toBeNull()
  })
})
