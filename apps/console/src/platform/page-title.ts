import { useEffect } from 'react'

export const productName = 'Pult'

const titles: { title: string }[] = []

/** The tab reads the innermost page first: "Profile · Account · Pult". */
export function composeTitle(pushed: readonly string[]): string {
  return [...pushed.toReversed(), productName].join(' · ')
}

/** Adds to the browser tab's title while the calling component is mounted. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const entry = { title }
    titles.push(entry)
    showTitle()
    return () => {
      titles.splice(titles.indexOf(entry), 1)
      showTitle()
    }
  }, [title])
}

function showTitle(): void {
  document.title = composeTitle(titles.map((entry) => entry.title))
}
