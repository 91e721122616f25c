import type { ToastMessage } from '@pult/ui'
import { notify } from './notify.ts'
import { toaster } from './toaster.ts'
import { texts } from './toasts.texts.ts'

/** Reports an action and offers to undo it. The message outlives the page that shows it (DEC-20). */
export function showUndoable(message: ToastMessage, undo: () => Promise<unknown>): void {
  const onAction = async () => {
    try {
      await undo()
      notify.success(texts.undone, message.text)
    } catch (error) {
      notify.error(texts.undoFailed, error)
    }
  }
  toaster.add({ ...message, action: { label: texts.undo, onAction: () => void onAction() } })
}
