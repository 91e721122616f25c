import { useEffect, useState } from 'react'

export const productName = 'Pult'

interface PushedTitle {
  title: string
  /** A page is rendered before the page inside of it, whichever of them is on screen first. */
  depth: number
}

const pushed: PushedTitle[] = []
let rendered = 0

/** The tab reads the innermost page first: "Profile · Account · Pult". */
export function composeTitle(titles: readonly PushedTitle[]): string {
  const innermostFirst = titles.toSorted((a, b) => b.depth - a.depth)
  return [...innermostFirst.map(({ title }) => title), productName].join(' · ')
}

/**
 * Takes a place in the browser tab's title, inside of all that were taken before: to be called while rendering, because
 * effects run from the inside out. What it answers shows a text there until that is taken back.
 */
export function claimTitle(): (title: string) => () => void {
  const depth = rendered++
  return (title) => {
    const entry = { title, depth }
    pushed.push(entry)
    showTitle()
    return () => {
      pushed.splice(pushed.indexOf(entry), 1)
      showTitle()
    }
  }
}

/** Adds to the browser tab's title while the calling component is mounted. */
export function usePageTitle(title: string): void {
  const [show] = useState(claimTitle)
  useEffect(() => show(title), [show, title])
}

function showTitle(): void {
  document.title = composeTitle(pushed)
}
