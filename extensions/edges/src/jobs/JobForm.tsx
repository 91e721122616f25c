import {
  type BodyOf,
  type EdgeJobChoices,
  type EdgeJobCommand,
  type EdgeParameter,
  type edgeJobEndpoints,
  numberIn,
} from '@pult/sdk/api'
import { Button, DialogActions, SelectField, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import styles from './jobs.module.css'
import { programsMost } from './jobs.queries.ts'
import { texts } from './jobs.texts.ts'
import { ParameterField } from './ParameterField.tsx'
import { type Typed, typedOf, valueOf } from './parameters.ts'

/** A job without its edges. */
export type JobOrder = Omit<BodyOf<typeof edgeJobEndpoints.start>, 'target'>

interface JobFormProps {
  choices: EdgeJobChoices
  isPending: boolean
  /** Reports whether a choice or a value differs from the first one. */
  onUnsaved: (isUnsaved: boolean) => void
  onPreview: (order: JobOrder) => void
  onClose: () => void
}

/** The available commands, by the value of their option. */
interface Choice {
  value: string
  label: string
  parameters: readonly EdgeParameter[]
  command: (values: Record<string, string | number | boolean>) => EdgeJobCommand
}

const usualLimits = { days: '7', atOnce: '20', stopAt: '' }
const limitNames = ['days', 'atOnce', 'stopAt'] as const

function wholeNumber(text: string, max: number): number | undefined {
  const number = /^\s*\p{Nd}{1,5}\s*$/u.test(text) ? numberIn(text) : 0
  return number >= 1 && number <= max ? number : undefined
}

/** The command, its values and the limits of a job. */
export function JobForm({ choices, isPending, onUnsaved, onPreview, onClose }: JobFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const groups = groupsOf(choices)
  const all = groups.flatMap(({ items }) => items)
  const [first] = useState(all[0]?.value ?? '')
  const [chosen, setChosen] = useState(first)
  const [typed, setTyped] = useState<Record<string, Typed>>({})
  const [limits, setLimits] = useState(usualLimits)
  const [isChecked, setChecked] = useState(false)
  const choice = all.find(({ value }) => value === chosen)
  const parameters = choice?.parameters ?? []
  const of = (parameter: EdgeParameter) => typed[parameter.key] ?? typedOf(parameter)
  const days = wholeNumber(limits.days, 90)
  const atOnce = wholeNumber(limits.atOnce, 500)
  const percent = limits.stopAt.trim() === '' ? null : wholeNumber(limits.stopAt, 100)

  const isUnsaved =
    chosen !== first ||
    Object.keys(typed).length > 0 ||
    limitNames.some((name) => limits[name] !== usualLimits[name])
  useEffect(() => onUnsaved(isUnsaved), [onUnsaved, isUnsaved])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || choice === undefined) return
    setChecked(true)
    const values = parameters.map((parameter) => [parameter.key, valueOf(parameter, of(parameter))] as const)
    const isFit = values.every(([, value]) => value !== undefined)
    if (!isFit || days === undefined || atOnce === undefined || percent === undefined) {
      requestAnimationFrame(() =>
        element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      )
      return
    }
    onPreview({
      command: choice.command(Object.fromEntries(values) as Record<string, string | number | boolean>),
      days,
      atOnce,
      ...(percent !== null && { stopAfter: { percent } }),
    })
  }
  const limit = (name: keyof typeof limits, unit: string, problem: string | false) => ({
    inputMode: 'numeric' as const,
    maxLength: 5,
    suffix: unit,
    value: limits[name],
    error: isChecked && problem !== false ? problem : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => setLimits({ ...limits, [name]: target.value }),
  })
  return (
    <form className={styles.form} ref={element} onSubmit={submit} noValidate>
      <SelectField
        label={texts.command}
        description={choices.programs.length >= programsMost && texts.onlyMostUsed(programsMost)}
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value)
          setTyped({})
          setChecked(false)
        }}
      >
        {groups.map(({ label, items }) => (
          <optgroup key={label} label={label}>
            {items.map((item) => (
              <option key={item.value} value={item.value}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {parameters.map((parameter) => (
        <ParameterField
          key={`${chosen} ${parameter.key}`}
          parameter={parameter}
          value={of(parameter)}
          isChecked={isChecked}
          onChange={(value) => setTyped({ ...typed, [parameter.key]: value })}
        />
      ))}
      <div className={styles.limits}>
        <TextField
          label={texts.days}
          {...limit('days', texts.dayUnit, days === undefined && texts.daysProblem)}
        />
        <TextField
          label={texts.atOnce}
          {...limit('atOnce', texts.atOnceUnit, atOnce === undefined && texts.atOnceProblem)}
        />
        <TextField
          label={texts.stopAt}
          placeholder={texts.stopAtHint}
          {...limit('stopAt', texts.stopAtUnit, percent === undefined && texts.stopAtProblem)}
        />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          {texts.preview}
        </Button>
      </DialogActions>
    </form>
  )
}

function groupsOf({ commands, programs }: EdgeJobChoices): { label: string; items: Choice[] }[] {
  const declared = commands.map(
    ({ key, label, parameters, edges }): Choice => ({
      value: `run ${key}`,
      label: texts.choice(label, edges),
      parameters,
      command: (values) => ({ name: 'run', key, values }),
    }),
  )
  const restarts = programs.map(
    ({ key, label, edges }): Choice => ({
      value: `restart ${key}`,
      label: texts.choice(label, edges),
      parameters: [],
      command: () => ({ name: 'restart-instance', key }),
    }),
  )
  const agent = (['diagnostics', 'restart'] as const).map(
    (name): Choice => ({
      value: name,
      label: texts.commands[name],
      parameters: [],
      command: () => ({ name }),
    }),
  )
  return [
    { label: texts.groups.declared, items: declared },
    { label: texts.groups.agent, items: agent },
    { label: texts.groups.programs, items: restarts },
  ].filter(({ items }) => items.length > 0)
}
