import { Activity } from 'react'
import { isCatalogueMissing } from '#platform/locale.ts'
import { texts } from '#platform/platform.texts.ts'
import { session } from '#platform/session.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { useStore } from '#platform/use-store.ts'
import { BootScreen } from './boot/BootScreen.tsx'
import { boot, consoleFrame, isPublicPage, publicPage, signIn } from './boot/start.ts'
import { Login } from './login/Login.tsx'
import { passwordCalls } from './login/password.ts'
import type { SignInProps } from './token-links/Acceptance.tsx'

/** Loads the console's code while the user signs in. */
function prefetchConsole(): void {
  for (const late of [passwordCalls, consoleFrame]) late.load().catch(() => {})
}

/** Shows the boot screen, then a public page, the login or the console. */
export function App() {
  const phase = useStore(boot.phase)
  const current = useStore(session)
  const done = phase === 'done'
  const isConsole = !isPublicPage && current.status === 'signed-in'
  return (
    <>
      {!done && <BootScreen isCover={phase === 'ready' && isConsole} />}
      {phase !== 'running' &&
        (isConsole ? (
          // Rendered and laid out below the boot screen during its last 100 ms. It is transparent until then instead of
          // hidden: a page that takes the focus on arrival must get it.
          <div
            className="boot-covered"
            data-covered={done ? undefined : true}
            aria-hidden={done ? undefined : true}
          >
            <SignedIn />
          </div>
        ) : (
          // A hidden Activity runs no effects, so the page does not take the focus before it is visible.
          <Activity mode={done ? 'visible' : 'hidden'}>
            {isPublicPage ? (
              <PublicPage />
            ) : (
              <LoginPage notice={'notice' in current ? current.notice : null} />
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

function LoginPage({ notice }: { notice: string | null }) {
  return (
    <StagePanel>
      <Login
        notice={notice ?? missingLanguage()}
        onUsername={prefetchConsole}
        onToken={(token) => void signIn(token)}
      />
    </StagePanel>
  )
}

const missingLanguage = () => (isCatalogueMissing ? texts.languageNotLoaded : null)
