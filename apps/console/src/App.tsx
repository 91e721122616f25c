import { Activity, lazy, Suspense } from 'react'
import { session } from '#platform/session.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { useStore } from '#platform/use-store.ts'
import { BootScreen } from './boot/BootScreen.tsx'
import { boot, isPublicPage, loadConsole, loadPublicPage, signIn } from './boot/start.ts'
import { Login } from './login/Login.tsx'
import type { SignInProps } from './token-links/TokenLinkPage.tsx'

const Console = lazy(async () => ({ default: (await loadConsole()).Console }))
const TokenLinkPage = lazy(async () => ({ default: (await loadPublicPage()).TokenLinkPage }))

const prefetchConsole = () => void loadConsole().catch(() => {})

/** The boot screen, then a public page, the login or the console. */
export function App() {
  const { done } = useStore(boot.state)
  const current = useStore(session)
  return (
    <>
      {!done && <BootScreen />}
      {/* Made ready out of sight while the boot screen still stands. */}
      <Activity mode={done ? 'visible' : 'hidden'}>
        <Suspense fallback={<BootScreen />}>{page()}</Suspense>
      </Activity>
    </>
  )

  function page() {
    if (current.status === 'unknown') return null
    if (isPublicPage) return <TokenLinkPage signIn={signInHere} />
    if (current.status === 'signed-in') return done && <Console />
    return (
      <StagePanel>
        <Login notice={current.notice} onUsername={prefetchConsole} onToken={(token) => void signIn(token)} />
      </StagePanel>
    )
  }
}

function signInHere(props: SignInProps) {
  return <Login {...props} notice={null} />
}
