import { ButtonLink, Card, EmptyState } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { useResourceTexts } from './resource.texts.ts'
import { useResourceContext } from './resource-context.ts'

/** Beside the list while no record is open. */
export function ChoosePage() {
  const texts = useResourceTexts()
  const { view, calls } = useResourceContext()
  const { data: head } = useQuery(calls.page('', null))
  if (head === undefined) return null
  const isEmpty = head.rows.length === 0
  return (
    <Card>
      <EmptyState
        level={3}
        icon={view.icon}
        title={isEmpty ? view.texts.none : view.texts.choose}
        text={isEmpty ? view.texts.noneText : view.texts.chooseText}
        action={isEmpty && <ButtonLink href={`${view.path}/create`}>{texts.create}</ButtonLink>}
      />
    </Card>
  )
}
