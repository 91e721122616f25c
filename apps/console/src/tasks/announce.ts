import type { Task } from '@pult/contract'
import { textsOf } from '@pult/sdk'
import type { TaskList } from '@pult/sdk/task-list'
import { downloadResult, errorOf, failureOf, taskCatalogues, titleInWords } from '@pult/sdk/task-list'
import type { ToastMessage } from '@pult/ui'
import { api } from '#platform/api.ts'
import { notify, showMessage } from '#platform/notify.ts'
import { storage } from '#platform/storage.ts'
import { isNoticeEnabled } from '../settings/settings.queries.ts'
import type { Notice, TaskChange } from './task-changes.ts'
import { texts } from './tasks.texts.ts'
import { tasksPanel } from './tasks-glance.ts'

/** More changes than this are announced as one message. */
const maxSingleMessages = 3
/**
 * Milliseconds. Each change restarts the first delay, up to the second, and all changes until then are announced
 * together.
 */
const batchDelay = 250
const maxBatchDelay = 2000
/**
 * Milliseconds. An unfocused window waits this long plus a random part, so that the focused window, or only one of
 * the others, announces.
 */
const unfocusedDelay = 300
/** Number of announced changes to remember: more than the lists of two windows can differ by. */
const maxRemembered = 400

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

  function announce(): void {
    if (document.hidden) return
    const changes = [...waiting.values()].filter(isNew)
    waiting.clear()
    if (changes.length === 0) return
    remember(changes)
    const enabled = changes.filter(({ notice }) => isNoticeEnabled(notice === 'failed' ? 'rejected' : notice))
    if (enabled.length > maxSingleMessages) showMessage(summaryOf(enabled))
    else for (const change of enabled) showMessage(messageOf(change, listNow()))
  }

  function scheduleAnnouncement(): void {
    clearTimeout(timer)
    if (document.hidden || waiting.size === 0) return
    const delay = document.hasFocus()
      ? batchDelay
      : batchDelay + unfocusedDelay + Math.random() * unfocusedDelay
    const left = waitingSince + maxBatchDelay - Date.now()
    timer = window.setTimeout(() => runAlone(announce), Math.max(0, Math.min(delay, left)))
  }

  document.addEventListener('visibilitychange', scheduleAnnouncement)
  return {
    add(changes: readonly TaskChange[]): void {
      if (changes.length === 0) return
      if (waiting.size === 0) waitingSince = Date.now()
      for (const change of changes) waiting.set(change._id, change)
      scheduleAnnouncement()
    },
    stop(): void {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', scheduleAnnouncement)
    },
  }
}

/**
 * Runs the work in one window of the browser at a time. Without locks, which require HTTPS and site data, it runs
 * directly.
 */
function runAlone(work: () => void): void {
  if ('locks' in navigator) navigator.locks.request('pult.toldTasks', work).catch(() => work())
  else work()
}

/** A task starts once and ends once. */
const keyOf = ({ _id, notice }: TaskChange) => `${_id}${notice === 'created' ? '+' : '-'}`

const readAnnounced = () => storage.announcedTasks.read()?.split(' ') ?? []

function isNew(change: TaskChange): boolean {
  return !readAnnounced().includes(keyOf(change))
}

function remember(changes: readonly TaskChange[]): void {
  storage.announcedTasks.write([...readAnnounced(), ...changes.map(keyOf)].slice(-maxRemembered).join(' '))
}

const toPanel = { label: texts.showTasks, onAction: () => tasksPanel.set(true) }

function messageOf({ _id, notice, title, kind }: TaskChange, list: TaskList | undefined): ToastMessage {
  const task = list?.byId.get(_id)
  const name = task ? titleInWords(task, taskTexts) : title
  const reason = notice === 'failed' && task ? failureOf(task, taskTexts) : null
  const warning = notice === 'finished' && task ? errorOf(task, taskTexts) : null
  const isReady = notice === 'finished' && task?.state.fileName !== undefined
  return {
    title: texts.notices[kind][notice],
    text: (reason ?? warning) === null ? name : `${name}: ${reason ?? warning}`,
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
    const text = texts.notices[kind][notice]
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const tone = changes.some(({ notice }) => notice === 'failed') ? 'danger' : 'info'
  return {
    title: texts.manyNotices(changes.length),
    text: [...counts].map(([text, count]) => texts.someOf(count, text)).join(', '),
    tone,
    action: toPanel,
  }
}
