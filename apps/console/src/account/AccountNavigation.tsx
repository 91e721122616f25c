import { NavItem } from '@pult/ui'

import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserRound from 'lucide-react/icons/user-round'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import styles from './AccountNavigation.module.css'
import { texts } from './account.texts.ts'

/** The pages of the account: a column beside them, on a narrow screen a strip above them. */
export function AccountNavigation() {
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)

  useEffect(() => {
    const links = list.current
    links?.addEventListener('keydown', moveByArrows)
    return () => links?.removeEventListener('keydown', moveByArrows)
  }, [])

  // In the strip the current page may be out of sight.
  useEffect(() => {
    const strip = list.current
    const current = strip?.querySelector('[aria-current]')
    if (!strip || !current) return
    const [inside, around] = [current.getBoundingClientRect(), strip.getBoundingClientRect()]
    strip.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2
  }, [pathname])

  const place = (href: string, ...under: string[]) => ({ href, current: [href, ...under].includes(pathname) })
  return (
    <nav className={styles.navigation} aria-label={texts.title}>
      <ul ref={list} className={styles.places}>
        <NavItem {...place('/me/profile', '/me')} icon={<UserRound aria-hidden="true" />}>
          {texts.profile}
        </NavItem>
        <NavItem {...place('/me/emails')} icon={<Mail aria-hidden="true" />}>
          {texts.emails}
        </NavItem>
        <NavItem {...place('/me/password')} icon={<RectangleEllipsis aria-hidden="true" />}>
          {texts.password}
        </NavItem>
        <NavItem {...place('/me/passkey')} icon={<KeyRound aria-hidden="true" />}>
          {texts.passkeys}
        </NavItem>
        <NavItem {...place('/me/otp')} icon={<ShieldCheck aria-hidden="true" />}>
          {texts.otp}
        </NavItem>
        <NavItem {...place('/me/sessions')} icon={<MonitorSmartphone aria-hidden="true" />}>
          {texts.sessions}
        </NavItem>
      </ul>
    </nav>
  )
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: (_index, count) => count - 1,
}

function moveByArrows(event: KeyboardEvent) {
  const list = event.currentTarget as HTMLElement
  const links = [...list.querySelectorAll('a')]
  const step = steps[event.key]
  const index = links.findIndex((link) => link === event.target)
  if (!step || index === -1 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  // Arrows would scroll the page.
  event.preventDefault()
  links[step(index, links.length)]?.focus()
}
