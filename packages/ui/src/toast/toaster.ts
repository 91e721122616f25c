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
  /** What a {@link ToastRegion} shows. */
  queue: ToastQueue<ToastMessage>
}

export interface ToasterOptions {
  /** How long a message stays, in milliseconds; hovering or focusing the messages holds the time. */
  durationMs: number
  /** More than this wait until one leaves. */
  maxVisible?: number
}

/** A queue of short messages. Make one per console, give it to {@link ToastRegion}, and add to it from anywhere. */
export function createToaster({ durationMs, maxVisible = 4 }: ToasterOptions): Toaster {
  const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: maxVisible })
  const close = (key: string) => queue.close(key)

  const add = (message: ToastMessage) => {
    const shown = queue.visibleToasts.find(({ content }) => isSame(content, message))
    if (shown) close(shown.key)
    return queue.add(message, { timeout: durationMs })
  }
  return { add, close, queue }
}

function isSame(one: ToastMessage, other: ToastMessage): boolean {
  return one.tone === other.tone && one.title === other.title && one.text === other.text
}
