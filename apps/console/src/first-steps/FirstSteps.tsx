import { Button, ButtonLink, Card } from '@pult/ui'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { notify } from '#platform/notify.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { changeSettings } from '../settings/settings.queries.ts'
import styles from './FirstSteps.module.css'
import { useFirstSteps } from './first-steps.queries.ts'
import { texts } from './first-steps.texts.ts'
import { stepsOf } from './steps-of.ts'

/**
 * The first steps of a new root. The server's data marks steps as done. The card disappears when all are done or root
 * hides it. In a project it shows only the next step, because the project's problems take priority.
 */
export function FirstSteps() {
  const { facts, isLoading } = useFirstSteps()
  const credentials = useCredentials()
  const isAside = useActiveProject() !== null
  const [isOpen, setOpen] = useState(false)
  if (facts === undefined) return isLoading && <span hidden data-awaited="" />
  const steps = stepsOf(facts, credentials)
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const next = steps.find(({ isDone, action }) => !isDone && action !== null)
  const shown = isAside && !isOpen ? steps.filter((step) => step === next) : steps
  const hide = async () => {
    if (await changeSettings({ hidesFirstSteps: true })) notify.info(texts.hidden)
  }

  return (
    <Card flush aria-label={texts.title}>
      <header className={styles.head}>
        <h2>{texts.title}</h2>
        <progress className={styles.progress} max={steps.length} value={done} aria-label={texts.title} />
        <span className={styles.count}>{texts.progress(done, steps.length)}</span>
        {isAside && (
          <Button variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {texts.all}
          </Button>
        )}
        <Button variant="ghost" onClick={() => void hide()}>
          {texts.hide}
        </Button>
      </header>
      <ol className={styles.steps}>
        {shown.map((step) => (
          <li
            key={step.id}
            data-step={step.id}
            data-done={step.isDone || undefined}
            data-next={step === next || undefined}
          >
            <span className={styles.mark} role="img" aria-label={step.isDone ? texts.done : texts.open}>
              {step.isDone && <Check aria-hidden="true" />}
            </span>
            <div>
              <strong>{step.title}</strong>
              <p>{step.text}</p>
            </div>
            {!step.isDone && step.action !== null && (
              <ButtonLink href={step.action.href} {...(step === next && { variant: 'primary' })}>
                {step.action.label}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
