import { IconButton, Link, VisuallyHidden, Wordmark } from '@pult/ui'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { pages } from '../pages/pages.tsx'
import { BuildDetails } from './BuildDetails.tsx'
import styles from './Drawer.module.css'
import { MainNavigation } from './MainNavigation.tsx'
import { texts } from './shell.texts.ts'
import { ThemeChoice } from './ThemeChoice.tsx'

/** A modal `<dialog>`: the browser traps the focus, closes it on Esc and restores the focus. */
export function Drawer({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { key } = useLocation()
  const openedAt = useRef(key)
  const close = () => dialog.current?.close()

  useEffect(() => {
    dialog.current?.showModal()
    // Closes when the screen gets wide enough for the navigation, because the page is inert under an open dialog.
    const room = matchMedia('(min-width: 900px)')
    room.addEventListener('change', close)
    return () => room.removeEventListener('change', close)
  }, [])

  useEffect(() => {
    if (key !== openedAt.current) close()
  }, [key])

  return (
    <dialog ref={dialog} className={styles.drawer} aria-label={texts.mainNavigation} onClose={onClose}>
      <div className={styles.panel}>
        <div className={styles.head}>
          <Link href="/" className={styles.home}>
            <Wordmark size={26} />
            <VisuallyHidden>{pages.home.label}</VisuallyHidden>
          </Link>
          <IconButton label={texts.closeNavigation} icon={<X aria-hidden="true" />} onClick={close} />
        </div>
        <MainNavigation />
        <ThemeChoice />
        <BuildDetails />
      </div>
      <button type="button" className={styles.scrim} tabIndex={-1} aria-hidden="true" onClick={close} />
    </dialog>
  )
}
