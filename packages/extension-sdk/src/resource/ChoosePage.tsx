import { Card, EmptyState } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { useResourceContext } from './resource-context.ts'

/** Renders the hint beside the list while no record is open. An empty list has its own text. */
export function ChoosePage() {
  const { view, calls } = useResourceContext()
  const { data: head } = useQuery(calls.page('', null))
  if (head === undefined || head.rows.length === 0) return null
  return (
    <Card>
      <EmptyState level={3} icon={view.icon} title={view.texts.choose} text={view.texts.chooseText} />
    </Card>
  )
}
