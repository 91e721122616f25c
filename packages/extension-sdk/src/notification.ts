/** A notification that disappears on its own. */
export interface Notification {
  title: string
  text?: string | undefined
  /** @default 'info', with an error 'danger' */
  tone?: 'info' | 'success' | 'warning' | 'danger'
  /** The error, whose message becomes the text. The login reports the end of a session itself. */
  error?: unknown
  /** Offers to undo what the title names. Runs after the app has closed, too: it uses calls, never the page's state. */
  undo?: (() => Promise<unknown>) | undefined
}
