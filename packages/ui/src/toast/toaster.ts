import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'
import type { Tone } from '../feedback/tone.ts'

export interface ToastMessage {
  tone: Tone
  title: string
  text?: string | undefined
  /** A button that resolves the cause. Pressing it closes the message. */
  action?: { label: string; onAction: () => void } | undefined
  /** Set for an error that the page shows as well. Other errors stay until they are closed or replaced. */
  isBrief?: boolean | undefined
}

export interface Toaster {
  /**
   * Shows a message and returns its key. If an equal message is on screen, the new one replaces it and its time
   * restarts.
   */
  add: (message: ToastMessage) => string
  close: (key: string) => void
  /** The messages of a {@link ToastRegion}. */
  queue: ToastQueue<ToastMessage>
}

export interface ToasterOptions {
  /**
   * Display time of a message in milliseconds. It runs only while the page is visible, and pauses while a message is
   * hovered or focused. Errors have none.
   */
  durationMs: number
  /** Display time of a message with an action in milliseconds; `durationMs` by default. */
  actionDurationMs?: number
  /**
   * Maximum number of messages on screen; further ones are queued, and further errors replace the oldest one. 4 by
   * default.
   */
  maxVisible?: number
}

/**
 * Creates a queue of short messages. Create one per console, pass it to {@link ToastRegion}, and add messages anywhere.
 */
export function createToaster({
  durationMs,
  actionDurationMs = durationMs,
  maxVisible = 4,
}: ToasterOptions): Toaster {
  const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: maxVisible })
  /** The keys of the messages that stay, oldest first. */
  const lasting = new Set<string>()
  const close = (key: string) => queue.close(key)

  const add = (message: ToastMessage) => {
    const shown = queue.visibleToasts.find(({ content }) => isSame(content, message))
    if (shown) close(shown.key)
    if (message.tone !== 'danger' || message.isBrief) {
      const key = queue.add(message, { timeout: message.action ? actionDurationMs : durationMs })
      waitForPage(queue.visibleToasts.find((toast) => toast.key === key)?.timer)
      return key
    }
    const key = queue.add(message, { onClose: () => lasting.delete(key) })
    lasting.add(key)
    const [oldest] = lasting
    if (lasting.size > maxVisible && oldest !== undefined) close(oldest)
    return key
  }
  return { add, close, queue }
}

/** Keeps a timer from starting while the page is hidden. The region starts it when the user is back. */
function waitForPage(timer: { resume: () => void } | undefined): void {
  if (timer === undefined) return
  const start = timer.resume.bind(timer)
  timer.resume = () => {
    if (!document.hidden) start()
  }
}

function isSame(one: ToastMessage, other: ToastMessage): boolean {
  // Messages with actions are never equal, because each action belongs to its message.
  return (
    !one.action &&
    !other.action &&
    one.tone === other.tone &&
    one.title === other.title &&
    one.text === other.text
  )
}
