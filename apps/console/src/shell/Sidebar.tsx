import { IconButton } from '@pult/ui'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useStore } from '#platform/use-store.ts'
import { BuildDetails } from './BuildDetails.tsx'
import { isNavigationFolded } from './fold.ts'
import { MainNavigation } from './MainNavigation.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import styles from './Sidebar.module.css'
import { texts } from './shell.texts.ts'

/** The navigation beside the page. */
export function Sidebar() {
  const isFolded = useStore(isNavigationFolded)
  return (
    <div className={styles.sidebar}>
      <ProjectSwitcher />
      <MainNavigation />
      <div className={styles.build}>
        <BuildDetails />
      </div>
      <div className={styles.fold}>
        <IconButton
          label={isFolded ? texts.unfoldNavigation : texts.foldNavigation}
          icon={isFolded ? <ChevronRight aria-hidden="true" /> : <ChevronLeft aria-hidden="true" />}
          onClick={() => isNavigationFolded.set(!isFolded)}
        />
      </div>
    </div>
  )
}
