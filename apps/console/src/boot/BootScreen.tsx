import { limits } from '@pult/contract'
import { Button, StepMark, ToneIcon } from '@pult/ui'
import { productName } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import type { Store } from '#platform/store.ts'
import { useStore } from '#platform/use-store.ts'
import { texts } from './boot.texts.ts'
import type { BootStep } from './boot.ts'
import { boot } from './start.ts'

interface BootScreenProps {
  /** True while the screen covers the next page, which is rendered below it. */
  isCover: boolean
}

/** Shows the last five steps of the start. `index.html` shows the first step until React runs. */
export function BootScreen({ isCover }: BootScreenProps) {
  return (
    <StagePanel isCover={isCover}>
      <h1>{productName}</h1>
      <Steps />
    </StagePanel>
  )
}

type Source<Value> = Pick<Store<Value>, 'get' | 'subscribe'>

const stepsOfFrame = byFrame(boot.steps)

function Steps() {
  const steps = useStore(stepsOfFrame)
  return (
    <ol className="boot-steps" aria-label={texts.steps} aria-live="polite">
      {steps.slice(-limits.bootLines).map((step) => (
        <Line key={step.id} step={step} />
      ))}
    </ol>
  )
}

function Line({ step: { label, state, reason, retry, isReload, alternative, note } }: { step: BootStep }) {
  return (
    <li className="boot-step" data-state={state}>
      {state === 'warning' ? (
        <ToneIcon tone="warning" className="boot-warning" label={texts.warning} />
      ) : (
        <StepMark state={state} label={texts[state]} />
      )}
      <span>{label}</span>
      {retry && <Button onClick={retry}>{isReload ? texts.reload : texts.retry}</Button>}
      {reason !== null && <span className="boot-reason">{reason}</span>}
      {alternative && (
        <span className="boot-reason">
          <Button variant="primary" onClick={alternative.choose}>
            {alternative.label}
          </Button>
        </span>
      )}
      {note !== null && (
        <span className="boot-reason" role="timer">
          {note}
        </span>
      )}
    </li>
  )
}

/** Publishes changes once a frame: steps that finish within one frame are drawn together. */
function byFrame<Value>({ get, subscribe }: Source<Value>): Source<Value> {
  return {
    get,
    subscribe: (listener) => {
      let frame: number | undefined
      const stop = subscribe(() => {
        frame ??= requestAnimationFrame(() => {
          frame = undefined
          listener()
        })
      })
      return () => {
        stop()
        if (frame !== undefined) cancelAnimationFrame(frame)
      }
    },
  }
}
