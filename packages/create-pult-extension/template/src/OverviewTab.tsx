import { useCredentials, useNotify, useProject } from '@pult/sdk'
import { Button, Card } from '@pult/sdk/ui'

/** Greets the user and names the project. */
export function OverviewTab() {
  const { firstname } = useCredentials()
  const { label } = useProject()
  const notify = useNotify()
  return (
    <Card
      title={`Hello ${firstname}`}
      actions={
        <Button onClick={() => notify({ title: 'Hello', text: label, tone: 'success' })}>Greet</Button>
      }
    >
      <p>You are working on {label}.</p>
    </Card>
  )
}
