import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'
import type { Tone } from '../feedback/tone.ts'

export interface ToastMessage {
  tone: Tone
  title: string
  text?: string | undefined
  /** A button that resolves the cause. Pressing it closes the message. */
  action?: { label: string; onAction: () => void } | undefined
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
  /** Display time of a message in milliseconds. It pauses while a message is hovered or focused. */
  durationMs: number
  /** Display time of a message with an action in milliseconds; `durationMs` by default. */
  actionDurationMs?: number
  /** Maximum number of messages on screen; further ones are queued. 4 by default. */
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
  const close = (key: string) => queue.close(key)

  const add = (message: ToastMessage) => {
    const shown = queue.visibleToasts.find(({ content }) => isSame(content, message))
    if (shown) close(shown.key)
    return queue.add(message, { timeout: message.action ? actionDurationMs : durationMs })
  }
  return { add, close, queue }
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
