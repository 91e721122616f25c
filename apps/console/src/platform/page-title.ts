import { useEffect, useState } from 'react'

export const productName = 'Pult'

export interface PushedTitle {
  title: string
  /** A page is rendered before the page inside of it, whichever of them is on screen first. */
  depth: number
}

/** The tab reads the innermost page first: "Profile · Account · Pult". */
export function composeTitle(titles: readonly PushedTitle[]): string {
  const innermostFirst = titles.toSorted((a, b) => b.depth - a.depth)
  return [...innermostFirst.map(({ title }) => title), productName].join(' · ')
}

/**
 * A title that the pages of one place push to, each inside of all that took a place before: to be called while rendering,
 * because effects run from the inside out. What a claim answers shows a text there until that is taken back.
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

/** Takes a place in the title of the browser's tab: see {@link createTitle}. */
export const claimTitle = createTitle((pushed) => {
  document.title = composeTitle(pushed)
})

/** Adds to the browser tab's title while the calling component is mounted. */
export function usePageTitle(title: string): void {
  const [show] = useState(claimTitle)
  useEffect(() => show(title), [show, title])
}
