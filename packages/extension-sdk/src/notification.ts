/** A notification that disappears automatically. */
export interface Notification {
  title: string
  text?: string | undefined
  /** @default 'info', with an error 'danger' */
  tone?: 'info' | 'success' | 'warning' | 'danger'
  /**
   * An error whose message becomes the text. The end of a session is not shown, because the sign-in page reports it.
   */
  error?: unknown
  /**
   * Undoes the operation that the title names. It can run after the app has closed, so use calls, never the page's
   * state.
   */
  undo?: (() => Promise<unknown>) | undefined
}
