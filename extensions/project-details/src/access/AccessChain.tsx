import type { EffectiveAccess } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
import { StepMark } from '@pult/sdk/ui'
import { useAccess } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Access.module.css'
import type { Place } from './Places.tsx'

interface AccessChainProps {
  personId: string
  name: string
  place: Place
}

/** The steps from a person to a target. The first failed step is the reason. */
export function AccessChain({ personId, name, place }: AccessChainProps) {
  return (
    <Loaded query={useAccess(personId, place)} failed={texts.accessFailed}>
      {(access) => <Chain access={access} name={name} place={place} />}
    </Loaded>
  )
}

interface ChainProps extends Pick<AccessChainProps, 'name' | 'place'> {
  access: EffectiveAccess
}

function Chain({ access: { allowed, steps, scope }, name, place }: ChainProps) {
  const stop = steps.findIndex((step) => !step.allowed)
  return (
    <section className={styles.chain} aria-live="polite">
      <h3 className={styles.verdict} data-allowed={allowed}>
        {texts.verdict(steps[0]?.name ?? name, place.label, allowed)}
      </h3>
      <ol className={styles.steps} aria-label={texts.chain}>
        {steps.map((step, index) => (
          <Step
            key={`${step.level} ${step.name}`}
            step={step}
            isStop={index === stop}
            isBeyond={stop !== -1 && index > stop}
          />
        ))}
      </ol>
      <details className={styles.scope}>
        <summary>{scope.length === 0 ? texts.noScope : texts.scope(scope.length)}</summary>
        <ul>
          {scope.map((entry) => (
            <li key={entry}>
              <code>{entry}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

interface StepProps {
  step: EffectiveAccess['steps'][number]
  /** The chain ends here. */
  isStop: boolean
  /** Steps after the failed one. */
  isBeyond: boolean
}

function Step({ step: { level, name, allowed, reason }, isStop, isBeyond }: StepProps) {
  return (
    <li className={styles.step} data-stop={isStop || undefined} data-beyond={isBeyond || undefined}>
      <StepMark state={allowed ? 'done' : 'failed'} label={allowed ? texts.passes : texts.stops} />
      <div className={styles.stepTexts}>
        <span className={styles.level}>{texts.levels[level]}</span>
        <span className={styles.stepName}>{name}</span>
        <span className={styles.reason}>{reason}</span>
      </div>
    </li>
  )
}
