import { createContext } from 'react'

/** Protection of the unsaved input of dialogs. */
export interface UnsavedInputGuard {
  /**
   * Called when a dialog gets unsaved input. Until the returned function is called, leaving the page asks for
   * confirmation.
   */
  hold: () => () => void
  /** The question that a dialog asks on Esc and on the way back of a phone. */
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
