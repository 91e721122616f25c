import { Activity } from 'react'
import { identityCalls } from '#platform/identity.ts'
import { isCatalogueMissing } from '#platform/locale.ts'
import { texts } from '#platform/platform.texts.ts'
import { session } from '#platform/session.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { useStore } from '#platform/use-store.ts'
import { BootScreen } from './boot/BootScreen.tsx'
import { boot, consoleFrame, isPublicPage, publicPage, signIn } from './boot/start.ts'
import { Login } from './login/Login.tsx'
import { passwordCalls } from './login/password.ts'
import type { SignInProps } from './token-links/TokenLinkPage.tsx'

/** Somebody is on the way in. */
function prefetchConsole(): void {
  for (const late of [identityCalls, passwordCalls, consoleFrame]) late.load().catch(() => {})
}

/** The boot screen, then a public page, the login or the console. */
export function App() {
  const { ready, done } = useStore(boot.state)
  return (
    <>
      {!done && <BootScreen />}
      {ready && (
        // Rendered out of sight during the boot's last moment, so that it is there when that is over.
        <Activity mode={done ? 'visible' : 'hidden'}>
          {isPublicPage ? <PublicPage /> : <PrivatePage />}
        </Activity>
      )}
    </>
  )
}

function PublicPage() {
  const { TokenLinkPage } = publicPage.get()
  return <TokenLinkPage signIn={signInHere} />
}

function signInHere(props: SignInProps) {
  return <Login {...props} notice={null} />
}

function PrivatePage() {
  const current = useStore(session)
  if (current.status === 'signed-in') {
    const { Console } = consoleFrame.get()
    return <Console />
  }
  return (
    <StagePanel>
      <Login
        notice={
          current.status === 'signed-out' && current.notice !== null ? current.notice : missingLanguage()
        }
        onUsername={prefetchConsole}
        onToken={(token) => void signIn(token)}
      />
    </StagePanel>
  )
}

const missingLanguage = () => (isCatalogueMissing ? texts.languageNotLoaded : null)
