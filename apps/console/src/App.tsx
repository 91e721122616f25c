import { Activity, memo } from 'react'
import { identityCalls } from '#platform/identity.ts'
import { isCatalogueMissing } from '#platform/locale.ts'
import { texts } from '#platform/platform.texts.ts'
import { session, sessionsEnded } from '#platform/session.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { useStore } from '#platform/use-store.ts'
import { BootScreen } from './boot/BootScreen.tsx'
import { boot, consoleFrame, isPublicPage, publicPage, signIn } from './boot/start.ts'
import { Login } from './login/Login.tsx'
import { passwordCalls } from './login/password.ts'
import type { SignInProps } from './token-links/TokenLinkPage.tsx'

/** Somebody is on the way in. */
function prefetchConsole(): void {
  for (const late of [identityCalls, passwordCalls]) late.load().catch(() => {})
  consoleFrame.load().then(
    ({ preloadEntries }) => preloadEntries(),
    () => {},
  )
}

/** The boot screen, then a public page, the login or the console. */
export function App() {
  const phase = useStore(boot.phase)
  const current = useStore(session)
  const done = phase === 'done'
  const isUnnoticed = phase === 'unnoticed'
  const isConsole = !isPublicPage && !isUnnoticed && current.status === 'signed-in'
  return (
    <>
      {!done && !isUnnoticed && <BootScreen isCover={phase === 'ready' && isConsole} />}
      {phase !== 'running' &&
        (isConsole ? (
          // Rendered and laid out below the boot screen during its last moment, so that all is there when that is over.
          // It stays transparent until then instead of hidden: a page that takes the focus on arrival must get it.
          <div
            className="boot-covered"
            data-covered={done ? undefined : true}
            aria-hidden={done ? undefined : true}
          >
            <SignedIn />
          </div>
        ) : (
          // The same, but for what takes the focus: that waits until it can be seen.
          <Activity mode={done || isUnnoticed ? 'visible' : 'hidden'}>
            {isPublicPage ? (
              <PublicPage />
            ) : (
              <LoginPage notice={'notice' in current ? current.notice : null} ended={sessionsEnded} />
            )}
          </Activity>
        ))}
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

function SignedIn() {
  const { Console } = consoleFrame.get()
  return <Console />
}

interface LoginPageProps {
  notice: string | null
  /** How many sessions have ended: who is signed out before another page is to be seen begins anew. */
  ended: number
}

/** A start that goes on unnoticed behind it does not render it again. */
const LoginPage = memo(function LoginPage({ notice, ended }: LoginPageProps) {
  return (
    <StagePanel>
      <Login key={ended} notice={notice ?? missingLanguage()} onUsername={prefetchConsole} onToken={signIn} />
    </StagePanel>
  )
})

const missingLanguage = () => (isCatalogueMissing ? texts.languageNotLoaded : null)
