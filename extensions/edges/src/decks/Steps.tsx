import { type EdgeDeckStep, limits } from '@pult/sdk/api'
import { Button, SelectField } from '@pult/sdk/ui'
import { useId } from 'react'
import { useEdgeGroups } from '../edges.queries.ts'
import { programsMost, useJobChoices } from '../jobs/jobs.queries.ts'
import styles from './decks.module.css'
import { texts } from './decks.texts.ts'
import { nameOf, stepChoices, valueOf } from './step-choices.ts'

const pages = Array.from({ length: limits.edgeDeckPagesMax }, (_, page) => page)
const noChoices = { commands: [], programs: [] }

interface StepsProps {
  title: string
  steps: readonly EdgeDeckStep[]
  onChange: (steps: EdgeDeckStep[]) => void
}

/** Edits the steps of a key, which run one after the other. */
export function Steps({ title, steps, onChange }: StepsProps) {
  const titleId = useId()
  const choices = useJobChoices().data ?? noChoices
  const first = stepChoices(choices, pages).flatMap(({ items }) => items)[0]?.step
  const replace = (at: number, step: EdgeDeckStep) =>
    onChange(steps.map((one, index) => (index === at ? step : one)))
  // The position is the only identity of a step.
  const placed = steps.map((step, index) => ({ step, index, place: `step ${index}` }))
  const hasPage = steps.some(({ type }) => type === 'page')
  return (
    <div className={styles.steps} role="group" aria-labelledby={titleId}>
      <b id={titleId}>{title}</b>
      {placed.map(({ step, index, place }) => (
        <div key={place} className={styles.step}>
          <StepFields
            step={step}
            label={texts.step(index)}
            // A step that shows a page excludes other steps, because the agent alone runs it.
            pages={steps.length === 1 ? pages : []}
            onChange={(next) => replace(index, next)}
          />
          <Button variant="ghost" onClick={() => onChange(steps.filter((_, at) => at !== index))}>
            {texts.removeStep(index)}
          </Button>
        </div>
      ))}
      {!hasPage && steps.length < limits.edgeDeckStepsMax && first !== undefined && (
        <Button onClick={() => onChange([...steps, first])}>{texts.addStep}</Button>
      )}
    </div>
  )
}

interface StepFieldsProps {
  step: EdgeDeckStep
  label: string
  pages: readonly number[]
  onChange: (step: EdgeDeckStep) => void
}

function StepFields({ step, label, pages: offered, onChange }: StepFieldsProps) {
  const choices = useJobChoices().data ?? noChoices
  const { data: edgeGroups } = useEdgeGroups()
  const groups = stepChoices(choices, offered)
  const all = groups.flatMap(({ items }) => items)
  const value = valueOf(step)
  const group = step.type === 'job' ? step.group : null
  const choose = (next: string) => {
    const chosen = all.find((one) => one.value === next)?.step
    if (chosen !== undefined) onChange(chosen.type === 'job' ? { ...chosen, group } : chosen)
  }
  return (
    <>
      <SelectField
        label={label}
        description={choices.programs.length >= programsMost && texts.onlyMostUsed(programsMost)}
        value={value}
        onChange={({ target }) => choose(target.value)}
      >
        {all.every((one) => one.value !== value) && <option value={value}>{nameOf(step)}</option>}
        {groups.map(({ label: name, items }) => (
          <optgroup key={name} label={name}>
            {items.map((item) => (
              <option key={item.value} value={item.value}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {step.type === 'job' && (
        <SelectField
          label={texts.target}
          value={group ?? ''}
          onChange={({ target }) => onChange({ ...step, group: target.value === '' ? null : target.value })}
        >
          <option value="">{texts.thisEdge}</option>
          {group !== null && edgeGroups?.some(({ _id }) => _id === group) !== true && (
            <option value={group}>{edgeGroups === undefined ? texts.loadingGroup : texts.goneGroup}</option>
          )}
          {edgeGroups?.map(({ _id, label: name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}
