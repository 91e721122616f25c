import { AppLink } from '@pult/sdk'
import { VisuallyHidden } from '@pult/sdk/ui'
import { texts } from '../project-details.texts.ts'
import styles from './Access.module.css'

/** Links to the explanation of a person's access. */
export function AccessLink({ personId, name }: { personId: string; name: string }) {
  return (
    <AppLink to={`people/${personId}`} className={styles.link ?? ''}>
      <span aria-hidden="true">{texts.explain}</span>
      <VisuallyHidden>{texts.explainOf(name)}</VisuallyHidden>
    </AppLink>
  )
}
