import { usePageTitle, useProject } from '@pult/sdk'
import { Alert } from '@pult/sdk/ui'
import page from '../ProjectDetails.module.css'
import { mayEdit } from '../rights.ts'
import { TokensCard } from './TokensCard.tsx'
import { texts } from './tokens.texts.ts'

/** Tokens that let services drive the project's tasks, for users who may edit the project. */
export function TokensTab() {
  usePageTitle(texts.title)
  const project = useProject()
  return (
    <div className={page.page}>
      {mayEdit(project) ? <TokensCard /> : <Alert tone="info">{texts.forEditors}</Alert>}
    </div>
  )
}
