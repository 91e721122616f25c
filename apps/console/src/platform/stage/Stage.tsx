import type { ReactNode } from 'react'
import { build } from '../build.ts'
import { texts } from '../platform.texts.ts'

/** The ground for everything outside of the console: the boot screen, the login, token links. */
export function Stage({ children }: { children: ReactNode }) {
  return (
    <div className="stage">
      <main className="stage-main">{children}</main>
      <footer className="stage-footer">{texts.version(build.version)}</footer>
    </div>
  )
}
