import { textsOf } from '@pult/sdk'
import type { TaskList } from '@pult/sdk/task-list'
import { downloadResult, failureOf, taskCatalogues, titleInWords } from '@pult/sdk/task-list'
import type { ToastMessage } from '@pult/ui'
import { api } from '#platform/api.ts'
import { notify, showMessage } from '#platform/notify.ts'
import { storage } from '#platform/storage.ts'
import { isTold } from '../settings/settings.queries.ts'
import type { Notice, TaskChange } from './task-changes.ts'
import { texts } from './tasks.texts.ts'
import { tasksPanel } from './tasks-glance.ts'

/** More than that at once are told as one. */
const tellSingly = 3
/** What comes together is told together, but nothing waits for ever. Milliseconds. */
const gathering = 250
const gatheringMost = 2000
/** A window beside the one that somebody works in leaves it to that one, or to whoever comes first. */
const deference = 300
/** How much of what was told is remembered: longer than any two windows are apart. */
const remembered = 400

const taskTexts = textsOf(taskCatalogues)

const tones: Record<Notice, ToastMessage['tone']> = {
  created: 'info',
  finished: 'success',
  failed: 'danger',
  timedOut: 'warning',
  aborted: 'info',
}

/**
 * Tells what has become of tasks, once in this browser: in the window that is looked at, and when none is, in the first
 * that is looked at again. A task that has ended meanwhile is not told to have begun.
 *
 * @param listNow What is known of the tasks when it is told.
 */
export function createAnnouncer(listNow: () => TaskList | undefined) {
  const waiting = new Map<string, TaskChange>()
  let waitingSince = 0
  let timer = 0

  function tell(): void {
    if (document.hidden) return
    const changes = [...waiting.values()].filter(isUntold)
    waiting.clear()
    if (changes.length === 0) return
    rememberTold(changes)
    const wanted = changes.filter(({ notice }) => isTold(notice === 'failed' ? 'rejected' : notice))
    if (wanted.length > tellSingly) showMessage(summaryOf(wanted))
    else for (const change of wanted) showMessage(messageOf(change, listNow()))
  }

  function tellSoon(): void {
    clearTimeout(timer)
    if (document.hidden || waiting.size === 0) return
    const patience = document.hasFocus() ? gathering : gathering + deference + Math.random() * deference
    const left = waitingSince + gatheringMost - Date.now()
    timer = window.setTimeout(() => alone(tell), Math.max(0, Math.min(patience, left)))
  }

  document.addEventListener('visibilitychange', tellSoon)
  return {
    add(changes: readonly TaskChange[]): void {
      if (changes.length === 0) return
      if (waiting.size === 0) waitingSince = Date.now()
      for (const change of changes) waiting.set(change._id, change)
      tellSoon()
    },
    stop(): void {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tellSoon)
    },
  }
}

/** Two windows of a browser one after the other, where it can (it cannot without https). */
function alone(work: () => void): void {
  if ('locks' in navigator) void navigator.locks.request('pult.toldTasks', work)
  else work()
}

/** A task begins once and ends once. */
const keyOf = ({ _id, notice }: TaskChange) => `${_id}${notice === 'created' ? '+' : '-'}`

const readTold = () => storage.toldTasks.read()?.split(' ') ?? []

function isUntold(change: TaskChange): boolean {
  return !readTold().includes(keyOf(change))
}

function rememberTold(changes: readonly TaskChange[]): void {
  storage.toldTasks.write([...readTold(), ...changes.map(keyOf)].slice(-remembered).join(' '))
}

const toPanel = { label: texts.showTasks, onAction: () => tasksPanel.set(true) }

function messageOf({ _id, notice, title, kind }: TaskChange, list: TaskList | undefined): ToastMessage {
  const task = list?.byId.get(_id)
  const called = task ? titleInWords(task, taskTexts) : title
  const reason = notice === 'failed' && task ? failureOf(task, taskTexts) : null
  const isReady = notice === 'finished' && task?.state.fileUrl !== undefined
  return {
    title: texts.notices[kind][notice],
    text: reason === null ? called : `${called}: ${reason}`,
    tone: tones[notice],
    action: isReady ? { label: texts.download, onAction: () => void downloadOf(task.state) } : toPanel,
  }
}

async function downloadOf(state: Parameters<typeof downloadResult>[1]): Promise<void> {
  try {
    await downloadResult(api, state)
  } catch (error) {
    notify.error(texts.downloadFailed, error)
  }
}

function summaryOf(changes: readonly TaskChange[]): ToastMessage {
  const counts = new Map<string, number>()
  for (const { kind, notice } of changes) {
    const said = texts.notices[kind][notice]
    counts.set(said, (counts.get(said) ?? 0) + 1)
  }
  const tone = changes.some(({ notice }) => notice === 'failed') ? 'danger' : 'info'
  return {
    title: texts.manyNotices(changes.length),
    text: [...counts].map(([said, count]) => texts.someOf(count, said)).join(', '),
    tone,
    action: toPanel,
  }
}
