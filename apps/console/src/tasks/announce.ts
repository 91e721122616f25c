import type { Task } from '@pult/contract'
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

/** More changes than this are announced as one message. */
const tellSingly = 3
/** Milliseconds. Changes within the first time are announced together, at the latest after the second. */
const gathering = 250
const gatheringMost = 2000
/**
 * Milliseconds. An unfocused window waits this long plus a random part, so that the focused window, or only one of
 * the others, announces.
 */
const deference = 300
/** Number of announced changes to remember. More than two windows can be apart. */
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
 * Announces changes of tasks once per browser: in a visible window, or in the first that becomes visible again. An
 * ended task is not announced as started.
 *
 * @param listNow Returns the known tasks at the time of the announcement.
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

/** Lets the windows of a browser run one after the other, where the browser supports locks (they require HTTPS). */
function alone(work: () => void): void {
  if ('locks' in navigator) void navigator.locks.request('pult.toldTasks', work)
  else work()
}

/** A task starts once and ends once. */
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
  const warning = notice === 'finished' ? (task?.error ?? null) : null
  const isReady = notice === 'finished' && task?.state.fileName !== undefined
  return {
    title: texts.notices[kind][notice],
    text: (reason ?? warning) === null ? called : `${called}: ${reason ?? warning}`,
    tone: warning === null ? tones[notice] : 'warning',
    action: isReady ? { label: texts.download, onAction: () => void downloadOf(task) } : toPanel,
  }
}

async function downloadOf(task: Task): Promise<void> {
  try {
    await downloadResult(api, task)
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
