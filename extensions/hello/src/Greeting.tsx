import { useCredentials, useNotify, useProject } from '@pult/sdk'
import { Button, Card } from '@pult/sdk/ui'
import { texts } from './hello.texts.ts'

/** Greets the user and shows the context that the SDK provides. */
export function Greeting() {
  const { firstname } = useCredentials()
  const { label } = useProject()
  const notify = useNotify()
  return (
    <Card title={texts.welcome(firstname)}>
      <p>{texts.project(label)}</p>
      <Button onClick={() => notify({ title: texts.greeting, text: label, tone: 'success' })}>
        {texts.greet}
      </Button>
    </Card>
  )
}
