import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'
import type { Tone } from '../feedback/tone.ts'

export interface ToastMessage {
  tone: Tone
  title: string
  text?: string | undefined
  /** What can be done about it. The message leaves with it. */
  action?: { label: string; onAction: () => void } | undefined
}

export interface Toaster {
  /** Shows a message and returns its key. A message that is already on screen starts its time again instead. */
  add: (message: ToastMessage) => string
  close: (key: string) => void
  /** The messages of a {@link ToastRegion}. */
  queue: ToastQueue<ToastMessage>
}

export interface ToasterOptions {
  /** How long a message stays, in milliseconds; hovering or focusing the messages holds the time. */
  durationMs: number
  /** How long a message with an action stays. */
  actionDurationMs?: number
  /** More than this wait until one leaves. */
  maxVisible?: number
}

/**
 * A queue of short messages. Create one per console, pass it to {@link ToastRegion}, and add messages from anywhere.
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
  // Each action belongs to its own message.
  return (
    !one.action &&
    !other.action &&
    one.tone === other.tone &&
    one.title === other.title &&
    one.text === other.text
  )
}
