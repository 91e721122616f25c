import { type TokenLink, tokenLinkEndpoints } from '@pult/contract'
import { useEffect, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { type Locale, locale } from '#platform/locale.ts'
import { openDocument, storage } from '#platform/storage.ts'
import type { TokenLinkPageProps } from './Acceptance.tsx'
import { EmailConfirmation } from './EmailConfirmation.tsx'
import { Invitation } from './Invitation.tsx'
import { LinkError } from './LinkError.tsx'
import { LinkLoading } from './LinkLoading.tsx'
import { OtpRecovery } from './OtpRecovery.tsx'
import { PasswordReset } from './PasswordReset.tsx'
import { Setup } from './setup/Setup.tsx'

/** Pause before a link is read again. Milliseconds. */
const readAgainAfter = 5000

type Preflight = { link: TokenLink } | { error: unknown } | null

/** Resolves the link without redeeming it and shows the matching view. */
export function ResolvedLink({ token, signIn }: TokenLinkPageProps & { token: string }) {
  const [tries, setTries] = useState(0)
  const [isMember, setMember] = useState(false)
  const [preflight, setPreflight] = useState<Preflight>(null)

  useEffect(() => {
    const leaving = new AbortController()
    api(tokenLinkEndpoints.preflight, { params: { token }, signal: leaving.signal }).then(
      (link) => {
        if (!switchesLanguage(link)) setPreflight({ link })
      },
      (error: unknown) => {
        if (!leaving.signal.aborted && !isUnknownAction(error)) setPreflight({ error })
      },
    )
    return () => leaving.abort()
  }, [token, tries])

  useEffect(() => {
    if (preflight === null || !('error' in preflight) || !isUnanswered(preflight.error)) return undefined
    const timer = setTimeout(() => setTries((before) => before + 1), readAgainAfter)
    return () => clearTimeout(timer)
  }, [preflight])

  const retry = () => {
    setPreflight(null)
    setTries(tries + 1)
  }

  if (preflight && 'error' in preflight) {
    const { error } = preflight
    const failed = <LinkError error={error} onRetry={retry} />
    const isOver = error instanceof ApiError && error.code === 'LINK_NOT_VALID'
    return isOver ? <Setup link="over" otherwise={failed} /> : failed
  }
  if (preflight === null) return <LinkLoading />
  const { action, data } = preflight.link
  switch (action) {
    case 'invite:registration':
      return data.isFirstRoot === true && data.user === null && !isMember ? (
        <Setup link={{ token, email: data.email, onHasAccount: () => setMember(true) }} />
      ) : (
        <Invitation token={token} link={preflight.link} isMember={isMember} signIn={signIn} />
      )
    case 'user:reset-password':
      return <PasswordReset token={token} email={data.email} />
    case 'user:otp-recovery':
      return <OtpRecovery token={token} email={data.email} user={data.user} />
    case 'user:email-confirmation':
      return <EmailConfirmation token={token} data={data} />
  }
}

/**
 * Reloads the page in another language, in a browser without a chosen one: in that of the inviter or, for people without
 * an account, in that of the browser (decision record 253). Returns whether a reload is under way.
 */
function switchesLanguage({ data }: TokenLink): boolean {
  const language = data.language ?? (data.user === null ? languageOfBrowser() : undefined)
  if (language === undefined || language === locale || storage.locale.read() !== null) return false
  storage.locale.write(language)
  openDocument()
  return true
}

/** Returns undefined in an installation of the default language, whose texts are literal. */
function languageOfBrowser(): Locale | undefined {
  if (locale === 'de') return undefined
  const first = navigator.languages.find((language) => /^(?:de|en)\b/i.test(language))
  return first === undefined ? undefined : /^de/i.test(first) ? 'de-DE' : 'en'
}

/** The rule of `query-client.ts`, which the public page does not load. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'NETWORK' || error.status >= 500)
}

/** A success unknown to the contract: the console does not support the link's purpose, and the link stays valid. */
function isUnknownAction(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNREADABLE' && error.status === 200
}
