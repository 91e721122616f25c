import { type UnsavedInputGuard, UnsavedInputProvider } from '@pult/ui'
import { type ReactNode, useMemo } from 'react'
import { texts } from './unsaved-input.texts.ts'
import type { UnsavedInput } from './unsaved-input.ts'

/** Registers the unsaved input of all dialogs inside at this place, and gives them the question of the place. */
export function DialogInput({ input, children }: { input: UnsavedInput; children: ReactNode }) {
  const guard = useMemo(
    (): UnsavedInputGuard => ({
      hold: input.hold,
      question: {
        title: texts.leaveTitle,
        text: texts.leaveText,
        discardLabel: texts.leave,
        keepLabel: texts.stay,
      },
    }),
    [input],
  )
  return <UnsavedInputProvider value={guard}>{children}</UnsavedInputProvider>
}
