import { Outlet } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { AccountNavigation } from './AccountNavigation.tsx'
import styles from './AccountPage.module.css'
import { texts } from './account.texts.ts'

/** What belongs to the person who is signed in, one page at a time. */
export function AccountPage() {
  usePageTitle(texts.title)
  return (
    <div className={styles.account}>
      <AccountNavigation />
      <div className={styles.page}>
        <Outlet />
      </div>
    </div>
  )
}
