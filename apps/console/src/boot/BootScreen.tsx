import { limits } from '@pult/contract'
import { Button, StepMark, ToneIcon } from '@pult/ui'
import { productName } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { useStore } from '#platform/use-store.ts'
import { texts } from './boot.texts.ts'
import type { BootStep } from './boot.ts'
import { boot } from './start.ts'

interface BootScreenProps {
  /** It lies over the page that comes next. */
  isCover: boolean
}

/** The last few steps of the start. `index.html` carries the same with the first step, for the time before React. */
export function BootScreen({ isCover }: BootScreenProps) {
  const { steps } = useStore(boot.state)
  return (
    <StagePanel isCover={isCover}>
      <h1>{productName}</h1>
      <ol className="boot-steps" aria-label={texts.steps} aria-live="polite">
        {steps.slice(-limits.bootLines).map((step) => (
          <Line key={step.id} step={step} />
        ))}
      </ol>
    </StagePanel>
  )
}

function Line({ step: { label, state, reason, retry } }: { step: BootStep }) {
  return (
    <li className="boot-step" data-state={state}>
      {state === 'warning' ? (
        <ToneIcon tone="warning" className="boot-warning" label={texts.warning} />
      ) : (
        <StepMark state={state} label={texts[state]} />
      )}
      <span>{label}</span>
      {retry && <Button onClick={retry}>{texts.retry}</Button>}
      {reason !== null && <span className="boot-reason">{reason}</span>}
    </li>
  )
}
