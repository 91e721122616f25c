import { ButtonLink } from '@pult/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import styles from './ResourcePage.module.css'
import { useResourceContext } from './resource-context.ts'

/** Links back to the list if the list is not shown beside the record. */
export function BackLink() {
  const { view } = useResourceContext()
  return (
    <div className={styles.back}>
      <ButtonLink variant="ghost" href={view.path} icon={<ArrowLeft aria-hidden="true" />}>
        {view.texts.title}
      </ButtonLink>
    </div>
  )
}
