import type { MouseEvent, ReactNode } from 'react'
import { build } from '../build.ts'
import { languageNames, locale } from '../locale.ts'
import { texts } from '../platform.texts.ts'
import { openDocument, storage } from '../storage.ts'

interface StageProps {
  children: ReactNode
  isCover?: boolean
}

/** The background of all pages outside the console: the boot screen, the login and token links. */
export function Stage({ children, isCover = false }: StageProps) {
  return (
    <div className="stage" data-cover={isCover || undefined}>
      <main className="stage-main">{children}</main>
      <footer className="stage-footer">
        {texts.version(build.version)}
        <div role="group" aria-label={texts.language}>
          {Object.entries(languageNames).map(languageLink)}
        </div>
      </footer>
    </div>
  )
}

/** Chooses a language before the page is loaded again, with its query and fragment: the link may be to a record. */
function choose(language: string, event: MouseEvent): void {
  storage.locale.write(language)
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  openDocument()
}

/** Links to the current page, which loads it again. */
const languageLink = ([to, name]: [string, string]) => (
  <a
    key={to}
    href={location.pathname + location.search}
    lang={to}
    aria-current={to === locale || undefined}
    onClick={(event) => choose(to, event)}
  >
    {name}
  </a>
)
