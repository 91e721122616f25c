import { useEffect, useState } from 'react'
import { createStore } from './store.ts'

export const productName = 'Pult'

export interface PushedTitle {
  title: string
  /** An outer page renders before its inner page. */
  depth: number
}

/** Composes the title from the innermost page outwards: "Profile · Account · Pult". */
export function composeTitle(titles: readonly PushedTitle[]): string {
  return [...outermostFirst(titles).toReversed(), productName].join(' · ')
}

const outermostFirst = (titles: readonly PushedTitle[]): readonly string[] =>
  titles.toSorted((a, b) => a.depth - b.depth).map(({ title }) => title)

/** The titles of the current page, the outermost first. */
export const pageTitles = createStore<readonly string[]>([])

/**
 * Creates a title to which nested pages push their texts. Call the result during render, which gives outer components
 * the lower depth: effects run from the inside out. The returned function adds a text and returns its removal.
 */
export function createTitle(show: (pushed: readonly PushedTitle[]) => void) {
  const pushed: PushedTitle[] = []
  let rendered = 0
  return (): ((title: string) => () => void) => {
    const depth = rendered++
    return (title) => {
      const entry = { title, depth }
      pushed.push(entry)
      show(pushed)
      return () => {
        pushed.splice(pushed.indexOf(entry), 1)
        show(pushed)
      }
    }
  }
}

/** Reserves a place in the title of the browser's tab: see {@link createTitle}. */
export const claimTitle = createTitle((pushed) => {
  document.title = composeTitle(pushed)
  pageTitles.set(outermostFirst(pushed))
})

/** Adds a text to the title of the browser's tab while the calling component is mounted. */
export function usePageTitle(title: string): void {
  const [show] = useState(claimTitle)
  useEffect(() => show(title), [show, title])
}
