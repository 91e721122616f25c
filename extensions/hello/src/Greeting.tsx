import { useCredentials, useNotify, useProject } from '@pult/sdk'
import { Button, Card } from '@pult/sdk/ui'

/** Greets the person, and shows what the SDK knows of where they are. */
export function Greeting() {
  const { firstname } = useCredentials()
  const { label } = useProject()
  const notify = useNotify()
  return (
    <Card title={`Hello ${firstname}`}>
      <p>You are working on {label}.</p>
      <Button onClick={() => notify({ title: 'Hello', text: label, tone: 'success' })}>Greet</Button>
    </Card>
  )
}
