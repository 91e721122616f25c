import { createContext } from 'react'

/** What dialogs do before their unsaved input is lost. */
export interface UnsavedInputGuard {
  /** Called while a dialog has unsaved input: leaving the page asks first until the returned function is called. */
  hold: () => () => void
  /** The question of a dialog that Esc would close. */
  question: {
    title: string
    text: string
    discardLabel: string
    keepLabel: string
  }
}

export const UnsavedInputContext = createContext<UnsavedInputGuard | null>(null)

/** Protects the unsaved input of all dialogs inside. Without it, Esc discards the input. */
export const UnsavedInputProvider = UnsavedInputContext.Provider
