import { ButtonLink } from '@pult/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import styles from './ResourcePage.module.css'
import { useResourceContext } from './resource-context.ts'

/** Back to the list, where it is not at the side. */
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
